import { isWithin, type JsonObject } from '@ambit/core';
import type { CallRow } from './call-row.js';

/** A call as API Activity (6003) of OCSF 1.6.0, https://schema.ocsf.io/1.6.0/classes/api_activity. */
export function ocsfEvent(
  row: CallRow,
  about: { readonly version: string; readonly user: string; readonly machine: string },
): JsonObject {
  const activity = activityOf(row.capabilities);
  const status = statusOf(row.outcome);
  return {
    class_uid: 6003,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: 600300 + activity.id,
    time: Date.parse(row.time),
    severity_id: row.decision === 'blocked' ? 3 : 1,
    status_id: status.id,
    status: status.name,
    ...(row.outcome === null ? {} : { status_code: row.outcome }),
    ...(row.reason === null ? {} : { status_detail: row.reason }),
    metadata: {
      version: '1.6.0',
      uid: `${row.run}:${row.call}`,
      product: { name: 'ambit', vendor_name: 'Ambit', version: about.version },
    },
    actor: { app_name: row.chain, user: { name: about.user } },
    api: { operation: row.tool, service: { name: row.tool.split('.')[0] ?? '' }, request: { uid: row.call } },
    src_endpoint: { hostname: about.machine },
    unmapped: {
      run: row.run,
      seq: row.seq,
      decision: row.decision,
      capabilities: [...row.capabilities],
      rules: [...row.rules],
      answer: row.answer === null ? null : { ...row.answer },
    },
  };
}

/** By the strongest capability of the call. */
function activityOf(capabilities: readonly string[]): { readonly id: number; readonly name: string } {
  const has = (...names: readonly string[]) =>
    capabilities.some((capability) => names.some((name) => isWithin(capability, name)));
  if (has('fs.delete')) return { id: 4, name: 'Delete' };
  if (has('fs.write', 'fs.meta', 'worker.create')) return { id: 3, name: 'Update' };
  const onlyReads = capabilities.every((name) =>
    ['fs.read', 'fs.list', 'secret.read', 'env.read', 'content.untrusted'].includes(name),
  );
  return onlyReads && capabilities.length > 0 ? { id: 2, name: 'Read' } : { id: 99, name: 'Other' };
}

function statusOf(outcome: string | null): { readonly id: number; readonly name: string } {
  if (outcome === null) return { id: 0, name: 'Unknown' };
  return outcome === 'completed' ? { id: 1, name: 'Success' } : { id: 2, name: 'Failure' };
}
