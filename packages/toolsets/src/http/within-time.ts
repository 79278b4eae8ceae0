import { HttpError } from './failure.js';

/** Work with a time limit, which can be cancelled. It settles by then even if the work continues. */
export async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw cancelled();
  const end = new AbortController();
  let giveUp: (why: HttpError) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    giveUp = (why) => {
      reject(why);
      end.abort(why);
    };
  });
  const cancel = () => giveUp(cancelled());
  const late = () => giveUp(new HttpError(`it took longer than ${milliseconds / 1000} seconds`));
  const timer = setTimeout(late, milliseconds);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function cancelled(): HttpError {
  return new HttpError('it was cancelled');
}
