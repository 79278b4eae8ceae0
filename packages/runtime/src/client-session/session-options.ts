import type { GuardWatch } from '@ambit/core';

/** A conversation of another agent, whose calls are judged here and executed there. */
export interface ClientSessionOptions {
  /** The client's name as a worker: the actor in the log and in policies. */
  readonly client: string;
  /** The client's own id of the conversation. */
  readonly session: string;
  /** The project's folder. Absolute. */
  readonly root: string;
  /** Policy files. `/etc/ambit/policy.yaml`, and a trusted `policy.yaml` of the project, are added. */
  readonly policies: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The process that started the hook; by default the parent of this one. */
  readonly startedBy?: number | undefined;
  /** The digest of this program, under which checked policies are cached for its next call. */
  readonly program?: string | undefined;
  /** The confinement of the judged call, for conditions: `context.isolation`. None by default. */
  readonly isolation?: string;
  /** The files that guard the session, compared before each permit. A change ends it. */
  readonly watch?: GuardWatch;
  /** The deadline for another process of the same session to release it, in milliseconds since 1970. */
  readonly deadline: number;
  /** Milliseconds that a tool may take to describe a call; ten seconds by default. */
  readonly describeLimit?: number | undefined;
  /** Whether only this process uses the session: its steps are then stored in batches. */
  readonly stays?: boolean | undefined;
  /** Whether the process may serve further calls: its steps then survive it at once, and a power cut soon. */
  readonly keeps?: boolean | undefined;
}
