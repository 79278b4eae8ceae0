export { readContained } from './filesystem/contained/read-contained.js';
export { filesystem, filesystemAt, filesystemIn } from './filesystem/filesystem.js';
export { cannotTouch, capabilitiesOf, mostBytes } from './filesystem/roots/access.js';
export { commonSuffixes, deriveRoots } from './filesystem/roots/derive.js';
export { FileError, failureOf } from './filesystem/roots/failure.js';
export { inFolder } from './filesystem/roots/folder.js';
export {
  isRealPlace,
  type Place,
  pathsOf,
  placeOf,
  type RealPlace,
  rootsInWords,
} from './filesystem/roots/place.js';
export {
  allRoots,
  countsAsInside,
  isRootItself,
  type OpenRoot,
  openRoots,
  type Root,
  type Roots,
  rootsAt,
} from './filesystem/roots/root.js';
export { planRead } from './filesystem/tools/read-file.js';
export { capabilitiesOfWriting, whatIsThere } from './filesystem/tools/write-file.js';
export { http, httpLimits, isProxy } from './http/http.js';
export type { Resolve } from './http/resolve.js';
export { readTarget } from './http/target.js';
export { argumentsOf, type CheckedSchema, checkedSchema } from './json-schema/checked-schema.js';
export { resolveReference } from './json-schema/references.js';
export { argumentHeaders } from './mcp/connection/argument-headers.js';
export { asWritten, mark } from './mcp/connection/changed-number.js';
export { ServerError } from './mcp/connection/connection.js';
export { lineReader } from './mcp/connection/line-reader.js';
export { type Resolved, resolveSite } from './mcp/connection/resolve-site.js';
export {
  type Asked,
  type CarriedCapability,
  type CarriedFact,
  firstStateless,
  type McpServer,
  type ServerQuestion,
  toolsetNameOf,
  usualCallLimit,
  usualStartLimit,
} from './mcp/connection/server-definition.js';
export { codeOf, describeStart, findProgram, isProgram } from './mcp/connection/start-description.js';
export { hasTasks, tasksExtension } from './mcp/connection/tasks-extension.js';
export { mcpToolset } from './mcp/mcp-toolset.js';
export { type RunningServer, startServer } from './mcp/running-server.js';
export { type CarriedWorld, carriedCapabilities } from './mcp/tools/carried-capabilities.js';
export { type Fingerprint, listedTool } from './mcp/tools/listed-tool.js';
export type { OfferedTool } from './mcp/tools/offered-tools.js';
export { type FingerprintStore, noFingerprints } from './mcp/tools/tool-history.js';
export {
  archiveName,
  mostArchiveBytes,
  packedSecretIn,
  showsPackedSecret,
  tarMembers,
  zipMembers,
} from './places/archives.js';
export { asFileSets, isDescribed } from './places/file-sets.js';
export { followNow, type Way } from './places/follow.js';
export { type GuardedPlace, guardedInOneCall, guardedMembers, isNamed, isWhole } from './places/guarded.js';
export { type ConnectionFacts, canonicalHost, hostCapabilities } from './places/host.js';
export { loadOptional } from './places/load-optional.js';
export { isUnder, namesFolder, plainPath, realPathOf, segmentsOf } from './places/paths.js';
export { originalsOf } from './places/place-pattern.js';
export { digestOfPlain, openPlain, readPlain, startOfPlain } from './places/plain-file.js';
export { gitSettings, mayHoldPassword } from './places/public-content.js';
export { saidBy } from './places/said-by.js';
export { gitObject, secretStarts, secretsAt, wellKnownAt } from './places/well-known.js';
export { wellKnown } from './places/well-known-places.js';
export { type Kept, KeptOutput } from './processes/kept-output.js';
export { type Mark, newMark, type ProcessReach, processesOf, signalAll } from './processes/reach.js';
export { starterToolset } from './testing/starter-toolset.js';
export { fromNeedsApproval } from './wrappers/from-needs-approval.js';
export { only } from './wrappers/only.js';
export { prefixed } from './wrappers/prefixed.js';
export { withCapabilities } from './wrappers/with-capabilities.js';
