import type { GuardWatch } from '@ambit/core';

/** A conversation of another agent, whose calls are judged here and executed there. */
export interface ClientSessionOptions {
  /** The client: who acts in its calls, and what the log says. The name of a worker. */
  readonly client: string;
  /** The client's own id of the conversation. */
  readonly session: string;
  /** The project's folder. Absolute. */
  readonly root: string;
  /** Policy files. `/etc/ambit/policy.yaml`, and a trusted `policy.yaml` of the project, are added. */
  readonly policies: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The process that started the hook; the parent of this one where left out. */
  readonly startedBy?: number | undefined;
  /** The digest of this program, where checked forms of policies are kept for its next call. */
  readonly program?: string | undefined;
  /** What confines the call that is judged, for conditions: `context.isolation`. None where left out. */
  readonly isolation?: string;
  /** What guards the session, compared before each permit. A change ends it. */
  readonly watch?: GuardWatch;
  /** Milliseconds since 1970: until when another process of the same session is waited for. */
  readonly deadline: number;
  /** Milliseconds that a tool may take to describe a call; ten seconds where left out. */
  readonly describeLimit?: number | undefined;
  /** Whether only this process ever goes on with the session: its steps are then stored many at a time. */
  readonly stays?: boolean | undefined;
  /** Whether this process may be asked again. Its steps then outlive it at once, and a power cut soon. */
  readonly keeps?: boolean | undefined;
}
