export { failedHook, type HookStage, type Written } from './clients/client.js';
export { type ClientName, clientNames } from './clients/client-call.js';
export { isClientName } from './clients/clients.js';
export { examine, examineFolder, examineIsolation, type Finding, isInstalled } from './doctor/examine.js';
export { answerHook, type HookOptions, mostInput } from './hook/answer-hook.js';
export { askResident } from './hook/ask-resident.js';
export { runResident } from './hook/resident.js';
export {
  install,
  planInstall,
  uninstall,
} from './install/install-hook.js';
export { InstallError } from './install/merged-settings.js';
export { type Installing, type InstallScope, settingsFile } from './install/settings.js';
export { probeClient } from './install/versions.js';
export { compileRules, importRules, settingsWithRules } from './rules/rules.js';
export { type RuleNote, RulesError } from './rules/static-rule.js';
