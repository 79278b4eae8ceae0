export { asFileSets, isDescribed } from './file-sets.js';
export type { Access, Want } from './filesystem/access.js';
export { cannotTouch, capabilitiesOf, mostBytes } from './filesystem/access.js';
export { type DerivedRoot, deriveRoots } from './filesystem/derive.js';
export { ChangedError, FileError, failureOf } from './filesystem/failure.js';
export { type FilesystemOptions, filesystem, filesystemAt, filesystemIn } from './filesystem/filesystem.js';
export { type HeldFolder, inFolder } from './filesystem/folder.js';
export { followIn, followNow, type Looked, type Looker, type NoWay, type Way } from './filesystem/follow.js';
export {
  isContained,
  isRealPlace,
  type Place,
  pathsOf,
  placeOf,
  type RealPlace,
  rootsInWords,
} from './filesystem/place.js';
export { type Contained, readContained } from './filesystem/read-contained.js';
export { type PlaceRead, planRead } from './filesystem/read-file.js';
export {
  allRoots,
  countsAsInside,
  isInside,
  isRootItself,
  type OpenRoot,
  openRoots,
  type Root,
  type Roots,
  type RootsOptions,
  rootsAt,
} from './filesystem/root.js';
export { type GuardedPlace, guardedMembers, guardsAt, isNamed, isWhole } from './guarded.js';
export { type ConnectionFacts, canonicalHost, hostCapabilities, isPrivateHost } from './host.js';
export { HttpError } from './http/failure.js';
export { type HttpOptions, http, httpLimits, isProxy } from './http/http.js';
export type { Resolve } from './http/resolve.js';
export { readTarget, type Target } from './http/target.js';
export type { Hints } from './mcp/hints.js';
export type { Fingerprint } from './mcp/listed-tool.js';
export { mcpToolset } from './mcp/mcp-toolset.js';
export type { LeftOut } from './mcp/offered-tools.js';
export { type RunningServer, startServer } from './mcp/running-server.js';
export {
  type CarriedCapability,
  type CarriedFact,
  type McpProgram,
  type McpServer,
  type McpSite,
  toolsetNameOf,
  usualCallLimit,
  usualStartLimit,
} from './mcp/server-definition.js';
export { codeOf, describeStart, type StartWorld } from './mcp/start-description.js';
export { type FingerprintStore, noFingerprints } from './mcp/tool-history.js';
export { type Resolved, resolveSite } from './mcp/web-transport.js';
export { errorCode, isUnder, namesFolder, plainPath, realPathOf, segmentsOf } from './paths.js';
export { digestOfPlain, openPlain, readPlain } from './plain-file.js';
export { type Kept, KeptOutput } from './processes/kept-output.js';
export { type Mark, newMark, type ProcessReach, processesOf, signalAll } from './processes/reach.js';
export { isAttributed, saidBy } from './said-by.js';
export { starterToolset } from './starter-toolset.js';
export { secretStarts, wellKnownAt } from './well-known.js';
export { type WellKnownPlace, wellKnown } from './well-known-places.js';
export { type Disarmed, fromNeedsApproval, type OwnJudgement } from './wrappers/from-needs-approval.js';
export { only } from './wrappers/only.js';
export { prefixed } from './wrappers/prefixed.js';
export { type Addition, withCapabilities } from './wrappers/with-capabilities.js';
