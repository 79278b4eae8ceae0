/** Where the drawing of properties that count what they drew begins. Always the same: chance would leave something out now and then. */
export const seed = 1;
