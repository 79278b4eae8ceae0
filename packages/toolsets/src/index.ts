export { type Contained, readContained } from './filesystem/contained/read-contained.js';
export { type FilesystemOptions, filesystem, filesystemAt, filesystemIn } from './filesystem/filesystem.js';
export type { Access, Want } from './filesystem/roots/access.js';
export { cannotTouch, capabilitiesOf, mostBytes } from './filesystem/roots/access.js';
export { type DerivedRoot, deriveRoots } from './filesystem/roots/derive.js';
export { ChangedError, FileError, failureOf } from './filesystem/roots/failure.js';
export { type HeldFolder, inFolder } from './filesystem/roots/folder.js';
export {
  isContained,
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
  isInside,
  isRootItself,
  type OpenRoot,
  openRoots,
  type Root,
  type Roots,
  type RootsOptions,
  rootsAt,
} from './filesystem/roots/root.js';
export { type PlaceRead, planRead } from './filesystem/tools/read-file.js';
export { capabilitiesOfWriting } from './filesystem/tools/write-file.js';
export { HttpError } from './http/failure.js';
export { type HttpOptions, http, httpLimits, isProxy } from './http/http.js';
export type { Resolve } from './http/resolve.js';
export { readTarget, type Target } from './http/target.js';
export type { Asked } from './mcp/connection/connection.js';
export { type Resolved, resolveSite } from './mcp/connection/resolve-site.js';
export {
  type CarriedCapability,
  type CarriedFact,
  type McpProgram,
  type McpServer,
  type McpSite,
  toolsetNameOf,
  usualCallLimit,
  usualStartLimit,
} from './mcp/connection/server-definition.js';
export { codeOf, describeStart, type StartWorld } from './mcp/connection/start-description.js';
export { mcpToolset } from './mcp/mcp-toolset.js';
export { type RunningServer, startServer } from './mcp/running-server.js';
export { carriedBy } from './mcp/tools/carried-capabilities.js';
export type { Hints } from './mcp/tools/hints.js';
export { type Fingerprint, type ListedTool, listedTool } from './mcp/tools/listed-tool.js';
export type { LeftOut, OfferedTool } from './mcp/tools/offered-tools.js';
export { type FingerprintStore, noFingerprints, type Standing } from './mcp/tools/tool-history.js';
export { asFileSets, isDescribed } from './places/file-sets.js';
export { followIn, followNow, type Looked, type Looker, type NoWay, type Way } from './places/follow.js';
export { type GuardedPlace, guardedMembers, guardsAt, isNamed, isWhole } from './places/guarded.js';
export { type ConnectionFacts, canonicalHost, hostCapabilities, isPrivateHost } from './places/host.js';
export { loadOptional } from './places/load-optional.js';
export { errorCode, isUnder, namesFolder, plainPath, realPathOf, segmentsOf } from './places/paths.js';
export { digestOfPlain, openPlain, readPlain } from './places/plain-file.js';
export { isAttributed, saidBy } from './places/said-by.js';
export { secretStarts, wellKnownAt } from './places/well-known.js';
export { type WellKnownPlace, wellKnown } from './places/well-known-places.js';
export { type Kept, KeptOutput } from './processes/kept-output.js';
export { type Mark, newMark, type ProcessReach, processesOf, signalAll } from './processes/reach.js';
export { starterToolset } from './testing/starter-toolset.js';
export { fromNeedsApproval, type OwnJudgement, type PolicyBacked } from './wrappers/from-needs-approval.js';
export { only } from './wrappers/only.js';
export { prefixed } from './wrappers/prefixed.js';
export { type Addition, withCapabilities } from './wrappers/with-capabilities.js';
