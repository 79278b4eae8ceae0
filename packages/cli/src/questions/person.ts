import { userInfo } from 'node:os';
import type { Host } from '../host.js';

/** The operating system's word on who answers; the environment may say anything. */
export function personOf({ environment }: Pick<Host, 'environment'>): string {
  try {
    return userInfo().username;
  } catch {
    return environment.USER || 'somebody';
  }
}
