import { type Activity, createActivity } from './activity.js';

/** Whether a run is left as it is, to be resumed. */
export interface Parking {
  readonly activity: Activity;
  /** Why: only people can continue it and parking was requested, or it must end here. */
  readonly whenParked: Promise<string>;
  readonly isParked: () => boolean;
  readonly park: (why: string) => void;
}

export function createParking(isWanted: boolean): Parking {
  let isParked = false;
  let parked: (why: string) => void = () => {};
  const whenParked = new Promise<string>((resolve) => {
    parked = resolve;
  });
  const park = (why: string) => {
    isParked = true;
    parked(why);
  };
  const activity = createActivity(() => {
    if (isWanted) park('a question waits for an answer');
  });
  return { activity, whenParked, isParked: () => isParked, park };
}
