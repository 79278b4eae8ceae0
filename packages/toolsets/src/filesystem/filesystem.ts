import { defineToolset, type Toolset } from '@ambit/core';
import type { GuardedPlace } from '../places/guarded.js';
import { Seen } from './contained/seen.js';
import { openRoots, type Root, type Roots } from './roots/root.js';
import { searchFilesTool } from './search/search-files.js';
import { editFileTool } from './tools/edit-file.js';
import { oneByOne } from './tools/file-tool.js';
import { listFilesTool } from './tools/list-files.js';
import { readBytesTool, readFileTool } from './tools/read-file.js';
import { copyFileTool, deleteFileTool, moveFileTool } from './tools/whole-files.js';
import { writeFileTool } from './tools/write-file.js';

export interface FilesystemOptions {
  readonly roots: readonly Root[];
  /** The user's home, for the table of well-known places. */
  readonly home: string;
  readonly guarded: readonly GuardedPlace[];
}

/** The toolset `filesystem` for named roots: paths are `ROOT/rest`. Throws where a root cannot be opened. */
export function filesystem({ roots, home, guarded }: FilesystemOptions): Toolset {
  return filesystemIn(openRoots(roots, { home, guarded }));
}

/** The same for one folder: paths are relative to it, or absolute. */
export function filesystemAt(folder: string, { home, guarded }: Omit<FilesystemOptions, 'roots'>): Toolset {
  return filesystemIn(
    openRoots([{ name: 'folder', folder, mode: 'rw' }], { home, guarded, naming: 'by_path' }),
  );
}

/** The same for roots that are open already. */
export function filesystemIn(roots: Roots): Toolset {
  const turn = oneByOne();
  const seen = new Seen();
  return defineToolset({
    name: 'filesystem',
    tools: [
      readFileTool(roots, seen),
      readBytesTool(roots),
      searchFilesTool(roots),
      listFilesTool(roots),
      writeFileTool(roots, { turn, seen }),
      editFileTool(roots, { turn, seen }),
      copyFileTool(roots, turn),
      moveFileTool(roots, turn),
      deleteFileTool(roots, turn),
    ],
  });
}
