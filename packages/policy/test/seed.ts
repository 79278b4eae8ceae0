/**
 * The fixed seed of properties that count generated cases. A random seed would sometimes leave a case out.
 */
export const seed = 1;
