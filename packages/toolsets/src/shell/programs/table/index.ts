import type { ProgramTable } from '../spec.js';
import { adminPrograms } from './admin.js';
import { archivePrograms } from './archives.js';
import { buildPrograms } from './builds.js';
import { cloudPrograms } from './clouds.js';
import { compilerPrograms } from './compilers.js';
import { compressorPrograms } from './compressors.js';
import { containerPrograms } from './containers.js';
import { databasePrograms } from './databases.js';
import { editorPrograms } from './editors.js';
import { filePrograms } from './files.js';
import { gitPrograms } from './git.js';
import { interpreterPrograms } from './interpreters.js';
import { languagePackagePrograms } from './language-packages.js';
import { languagePrograms } from './languages.js';
import { mediaPrograms } from './media.js';
import { networkPrograms } from './network.js';
import { packagePrograms } from './packages.js';
import { pythonPrograms } from './python.js';
import { rarePrograms } from './rare.js';
import { readingPrograms } from './reading.js';
import { remotePrograms } from './remote.js';
import { runnerPrograms } from './runners.js';
import { searchingPrograms } from './searching.js';
import { secretPrograms } from './secrets.js';
import { systemPrograms } from './system.js';
import { systemPackagePrograms } from './system-packages.js';
import { terminalPrograms } from './terminals.js';
import { textPrograms } from './text.js';
import { unusualPrograms } from './unusual.js';
import { webPrograms } from './web.js';
import { wrapperPrograms } from './wrappers.js';

/** The one table of what programs do with their arguments. */
export const programs: ProgramTable = {
  ...readingPrograms,
  ...searchingPrograms,
  ...filePrograms,
  ...systemPrograms,
  ...textPrograms,
  ...archivePrograms,
  ...compressorPrograms,
  ...wrapperPrograms,
  ...interpreterPrograms,
  ...editorPrograms,
  ...networkPrograms,
  ...remotePrograms,
  ...gitPrograms,
  ...packagePrograms,
  ...buildPrograms,
  ...containerPrograms,
  ...cloudPrograms,
  ...adminPrograms,
  ...mediaPrograms,
  ...rarePrograms,
  ...runnerPrograms,
  ...compilerPrograms,
  ...webPrograms,
  ...pythonPrograms,
  ...languagePackagePrograms,
  ...systemPackagePrograms,
  ...secretPrograms,
  ...databasePrograms,
  ...terminalPrograms,
  ...unusualPrograms,
  ...languagePrograms,
};
