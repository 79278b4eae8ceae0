import { type Activity, createActivity } from './activity.js';

/** Whether a run has come to where only people can go on. */
export interface Parking {
  readonly activity: Activity;
  /** Never resolves where the run is not to be parked. */
  readonly whenParked: Promise<void>;
  readonly isParked: () => boolean;
}

export function createParking(isWanted: boolean): Parking {
  let isParked = false;
  let park = () => {};
  const whenParked = new Promise<void>((resolve) => {
    park = resolve;
  });
  const activity = createActivity(() => {
    if (!isWanted) return;
    isParked = true;
    park();
  });
  return { activity, whenParked, isParked: () => isParked };
}
