import type { Json } from '../words/json.js';

/**
 * Thrown by `execute` before it has any effect, if the call does more than was described. The call is
 * described again with what was learned, judged, recorded and continued.
 */
export class StartOver extends Error {
  override readonly name = 'StartOver';
  constructor(
    readonly learnt: Json,
    why = 'the call starts over',
  ) {
    super(why);
  }
}
