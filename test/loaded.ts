// The shell loads this with its first description, which has ten seconds: on a busy machine, vite takes longer to transform it.
import '../packages/shell/src/describe/describe-command.js';
