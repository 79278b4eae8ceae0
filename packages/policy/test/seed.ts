/** Where the drawing of properties that count what they drew begins: always at the same place. `AMBIT_SEED=7` tries another. */
export const seed = Number(process.env.AMBIT_SEED ?? 1);
