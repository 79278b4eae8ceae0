/** One line for each problem in the text of a file: its place and what to write instead. */
export function problemsOf(path: string, text: string): readonly string[];
