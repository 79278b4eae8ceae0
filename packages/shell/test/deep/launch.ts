export { launchArguments, usualBash } from '../../../toolsets/src/shell/execute/launcher.js';
