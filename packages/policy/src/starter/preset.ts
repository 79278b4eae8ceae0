export const presets = {
  coding: 'an agent edits this repository, and a person answers its questions',
  ci: 'an agent works here without a person: what would be a question is refused',
  research: 'an agent reads this folder and the web, and writes notes',
  locked: 'an agent reads; a person approves each change, and the rest never runs',
} as const;

export type Preset = keyof typeof presets;

/** The usual one first. */
export const presetNames = Object.keys(presets) as readonly Preset[];
