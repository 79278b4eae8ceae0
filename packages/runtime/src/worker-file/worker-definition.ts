import type { Decision, InputSchema, JsonObject } from '@ambit/core';
import type { CheckedSchema, McpServer } from '@ambit/toolsets';

export interface WorkerDefinition {
  readonly name: string;
  /** The name of the file in messages. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly description: string;
  readonly instructions: string;
  /** In a form of `isModelName`; null for the caller's model. */
  readonly model: string | null;
  /** Globs; null for any model. */
  readonly compatibleModels: readonly string[] | null;
  readonly input: InputSchema;
  /** Null for text. */
  readonly output: CheckedSchema | null;
  readonly roots: readonly RootDefinition[];
  readonly attachments: AttachmentLimits;
  readonly toolsets: readonly ToolsetReference[];
  /** The longest chain that may begin with this worker. */
  readonly maxDepth: number;
  readonly locked: boolean;
  readonly createdBy?: string;
}

/** By the keys of the file, as is `AttachmentLimits`. */
export interface RootDefinition {
  readonly name: string;
  /** As written: absolute, from `~/`, or from the root of the run. */
  readonly root: string;
  readonly mode: 'ro' | 'rw';
  readonly suffixes?: readonly string[];
  readonly max_file_bytes?: number;
  readonly read_approval?: true;
  readonly write_approval?: true;
  /** By default, only its attachments are untrusted. */
  readonly untrusted?: boolean;
  /** `file:line:column` */
  readonly at: string;
}

export interface AttachmentLimits {
  readonly max_count: number;
  readonly max_total_bytes: number;
  /** Null for all. */
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[];
}

/** One key under `toolsets:`; its `approvals` belong to it alone. */
export interface ToolsetReference {
  readonly key: string;
  /** The module's real path; null for other keys. */
  readonly path: string | null;
  /** The module's absolute path, and its real path if different. */
  readonly paths: readonly string[];
  /** Of the module, in hex. */
  readonly sha256: string | null;
  readonly configuration: JsonObject;
  /** For `mcp-KEY`. */
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
