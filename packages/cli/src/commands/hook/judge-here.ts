/** What judges a hook's call in this process, apart from what asks another. */
export { answerHook, runResident } from '@ambit/agents';
