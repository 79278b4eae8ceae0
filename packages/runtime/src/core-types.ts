/** What programs that only parse, call and print need of core; they see core through here. */
export type {
  Answer,
  Approver,
  CallOutcome,
  Capability,
  CapabilityDefinition,
  Json,
  JsonObject,
  Judgement,
  KeptAnswer,
  LogEvent,
  Mode,
  NonEmpty,
  Policy,
  Preview,
  Question,
  Refusal,
  Rung,
} from '@ambit/core';
export { FailedError, RefusedError, resultOf } from '@ambit/core';
export { isJsonObject, isWorkerName, ladder, modes, printable, printableLines, reaches } from '@ambit/core';
