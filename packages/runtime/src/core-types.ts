/** What programs that only parse, call and print need of core; they see core through here. */
export type {
  Answer,
  Approver,
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
  Rung,
} from '@ambit/core';
export { isJsonObject, isWorkerName, ladder, modes, printable, printableLines, reaches } from '@ambit/core';
