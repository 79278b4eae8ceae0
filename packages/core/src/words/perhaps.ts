/** Whether all of these are true; null if that is unknown. */
export function allTrue(answers: readonly (boolean | null)[]): boolean | null {
  return answers.includes(false) ? false : answers.includes(null) ? null : true;
}

/** Whether one of these is true; null if that is unknown. */
export function anyTrue(answers: readonly (boolean | null)[]): boolean | null {
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}
