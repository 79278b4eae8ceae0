import { type JsonObject, orNull } from '@ambit/core';
import type { List } from '../pins/entry-pins.js';
import { otherNames, sharedBy } from '../upstream/other-tools.js';
import { judgedUri, requireFirstPage } from './methods.js';
import type { Asking, ClientState } from './pass-if-permitted.js';
import type { Listing } from './routes.js';
import { wantsOtherTask } from './tasks.js';

/** Without those that can never run. That is a convenience: each call is judged. */
export async function shownTools(
  params: JsonObject,
  { serving: { routes }, judging }: ClientState,
  asking: Asking,
): Promise<JsonObject[]> {
  requireFirstPage(params);
  const judge = await judging().catch(() => null);
  const shown = await Promise.all(
    routes.tools().map(async ({ definition, ...each }) => {
      const never = judge !== null && (await judge.neverRuns(each.tool.shown));
      return never || wantsOtherTask(each, asking) ? [] : [definition];
    }),
  );
  return shown.flat();
}

/** The same for prompts, resources and templates. Each use is judged. */
export async function shownList(
  method: List,
  { cursor }: JsonObject,
  { client, asking: { signal } }: { readonly client: ClientState; readonly asking: Asking },
): Promise<JsonObject> {
  const judge = await client.judging().catch(() => null);
  const shown = async (one: Listing) => {
    const tool = method === 'prompts/list' ? otherNames.prompt : otherNames.resource;
    const known = knownOf(method, one);
    return known !== null && (judge === null || !(await judge.neverRuns(tool, known)));
  };
  return client.serving.routes.list(method, { cursor, signal, shown });
}

/** The known properties of each use; null if the use is refused under every policy. */
function knownOf(method: List, { served, own }: Listing) {
  const server = served.running.server.key;
  if (method === 'prompts/list') return { args: { server, prompt: own } };
  if (method === 'resources/templates/list') return { args: { server }, capabilities: sharedBy(own, server) };
  return orNull(() => ({ args: { server, uri: judgedUri(own) } }));
}
