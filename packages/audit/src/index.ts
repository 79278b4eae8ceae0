export { canonicalJson } from './canonical-json.js';
export { createLog, type FileLog, type LogOptions } from './file-log.js';
export { type EventName, eventNames, type LogEntry, maxLineBytes } from './line.js';
export { LogError, type LogErrorCode } from './log-error.js';
export type { Recovered } from './recover.js';
export { type DamageCode, formatVerification, type Verification, verifyLog } from './verify.js';
