import { textOf, type Word, writtenAs } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { file, tree } from './make-effect.js';

/** `source:target:ro`, for a container. A name without a slash is a volume of its own. */
export function readMount(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return `what \`${writtenAs(written)}\` lets it reach`;
  const [source = '', target, mode = ''] = known.split(':');
  if (target === undefined || /^[a-zA-Z0-9][\w.-]*$/.test(source)) return [];
  return reached(source, mode.split(',').includes('ro'), around);
}

/** `type=bind,src=folder,readonly`, for a container or a build. */
export function readMountOption(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return `what \`${writtenAs(written)}\` lets it reach`;
  const fields = new Map(
    known.split(',').map((field): [string, string] => {
      const [key = '', ...value] = field.split('=');
      return [key, value.join('=')];
    }),
  );
  const source = fields.get('src') ?? fields.get('source');
  if (source === undefined || fields.get('type') === 'volume') return [];
  const isReadOnly = ['readonly', 'ro'].some((key) => /^(?:|true|1)$/.test(fields.get(key) ?? '-'));
  return reached(source, isReadOnly, around);
}

/** What a container may do to a folder that is put into it. */
function reached(source: string, isReadOnly: boolean, around: Around): Effects {
  const read = tree('read', source, around);
  return isReadOnly ? [read] : [read, tree('write', source, around), tree('delete', source, around)];
}

/** Where a build puts its result: a folder, or `type=local,dest=folder`. */
export function readOutputOption(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null) return [tree('write', written, around)];
  const target = /(?:^|,)dest=([^,]*)/.exec(known)?.[1];
  if (target !== undefined) return [tree('write', target, around), file('write', target, around)];
  return known.includes('=') ? [] : [tree('write', known, around)];
}
