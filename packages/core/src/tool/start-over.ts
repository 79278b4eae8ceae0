import type { Json } from '../words/json.js';

/**
 * Thrown by `execute` before it has done anything: the call is more than was described, which only showed now. It is described again with
 * what was learnt, judged and recorded afresh, and goes on from there.
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
