import type { Decision, InputSchema, JsonObject } from '@ambit/core';
import type { CheckedSchema, McpServer } from '@ambit/toolsets';

/** A worker as its file defines it. */
export interface WorkerDefinition {
  readonly name: string;
  /** The `.worker` file, as it is shown. */
  readonly file: string;
  /** Where the file is; absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly description: string;
  readonly instructions: string;
  /** As `isModelName` takes it; null to take the caller's. */
  readonly model: string | null;
  /** Globs of models that the worker may run on; null for any. */
  readonly compatibleModels: readonly string[] | null;
  /** The caller's input: `input` and `attachments` unless the file says otherwise. */
  readonly input: InputSchema;
  /** The JSON Schema of the worker's answer; null for text. */
  readonly output: CheckedSchema | null;
  readonly roots: readonly RootDefinition[];
  readonly attachments: AttachmentLimits;
  readonly toolsets: readonly ToolsetReference[];
  /** How many workers a chain may have that begins with this one. */
  readonly maxDepth: number;
  readonly locked: boolean;
  /** The worker that created it, where a run did. */
  readonly createdBy?: string;
}

export interface RootDefinition {
  readonly name: string;
  /** As written: absolute, from the home folder (`~/`), or from the root of the run. */
  readonly folder: string;
  readonly mode: 'ro' | 'rw';
  readonly suffixes: readonly string[] | null;
  readonly maxFileBytes: number | null;
  readonly readApproval: boolean;
  readonly writeApproval: boolean;
  /** Null where the file does not say: then attachments from it count as untrusted and other reads do not. */
  readonly untrusted: boolean | null;
  /** `file:line:column` */
  readonly at: string;
}

export interface AttachmentLimits {
  readonly maxCount: number;
  readonly maxTotalBytes: number;
  /** Suffixes; null for all. */
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[];
}

/** One key under `toolsets:`; its `approvals` belong to it alone. */
export interface ToolsetReference {
  /** A built-in toolset, a module path, or the name of a worker. */
  readonly key: string;
  /** Where the module is, for a key that is neither built in nor a worker nor given in code; its real path. */
  readonly path: string | null;
  /** The absolute path of the module, and its real path if different. */
  readonly paths: readonly string[];
  /** Of the module, as it was when the worker was loaded; in hex. */
  readonly sha256: string | null;
  readonly configuration: JsonObject;
  /** For `mcp-KEY`: the server, its folder as written, from the root of the run. */
  readonly server?: McpServer;
  readonly approvals: readonly ReferenceApproval[];
  readonly at: string;
}

export interface ReferenceApproval {
  /** Without the toolset. */
  readonly tool: string;
  readonly decision: Decision;
  readonly at: string;
}
