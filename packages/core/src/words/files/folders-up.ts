/** An absolute path without `.` or `..`, and the folders above it: the path first, the root last. */
export function foldersUp(path: string): readonly string[] {
  const folders: string[] = [];
  for (let end = path === '/' ? 0 : path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    folders.push(path.slice(0, end));
  return [...folders, '/'];
}
