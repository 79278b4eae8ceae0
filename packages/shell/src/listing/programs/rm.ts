import { addMember, addOpen, collected, effectsOf } from '../collected.js';
import type { Lister } from '../lister.js';
import { membersOf } from '../members.js';
import { has, pathEffects } from '../options.js';
import { startsOf } from '../start.js';

/** rm(1). It follows no link. */
export const rm: Lister = (reading, scene) => {
  const { operands, open } = reading;
  const isDeep = has(reading, '-r -R --recursive') || open !== null;
  if (!isDeep) return { effects: pathEffects('delete', operands), leavesInput: true };
  const files = collected();
  const starts = startsOf(operands, scene, false);
  if (starts.open || open !== null) addOpen(files, null);
  for (const start of starts.list) {
    files.paths.add(start.named).add(start.real ?? start.named);
    const found = membersOf(start, scene);
    for (const member of found.list) addMember(files, member, start);
    if (found.open) addOpen(files, start.real);
  }
  return { effects: effectsOf('delete', files), leavesInput: true };
};
