import type { Works } from './table/table.js';

export const works: Works = {
  init: async () => (await import('./policy/init.js')).init,
  check: async () => (await import('./policy/check.js')).check,
  diff: async () => (await import('./policy/diff.js')).diff,
  prove: async () => (await import('./policy/diff.js')).prove,
  test: async () => (await import('./policy/test.js')).test,
  show: async () => (await import('./policy/show.js')).show,
  trust: async () => (await import('./policy/trust.js')).trust,
  schema: async () => (await import('./policy/schema.js')).schema,
  'toolset check': async () => (await import('./policy/toolset.js')).toolsetCheck,
  'toolset describe': async () => (await import('./policy/toolset.js')).toolsetDescribe,
  decide: async () => (await import('./calls/decide.js')).decide,
  capabilities: async () => (await import('./calls/decide.js')).capabilities,
  explain: async () => (await import('./calls/explain.js')).explain,
  run: async () => {
    const { run } = await import('./run/run.js');
    return (host, worker, input, options) => run(host, { worker, input }, options);
  },
  chat: async () => {
    const { chat } = await import('./run/run.js');
    return (host, worker, input, options) => chat(host, { worker, input }, options);
  },
  'runs list': async () => (await import('./store/runs-show.js')).runsList,
  'runs show': async () => (await import('./store/runs-show.js')).runsShow,
  'runs forget': async () => (await import('./store/runs-show.js')).runsForget,
  'approvals list': async () => (await import('./store/approvals-show.js')).approvalsList,
  'approvals show': async () => (await import('./store/approvals-show.js')).approvalsShow,
  'approvals approve': async () => (await import('./store/approvals-answer.js')).approve,
  'approvals deny': async () => (await import('./store/approvals-answer.js')).deny,
  'approvals kept': async () => (await import('./store/approvals-show.js')).approvalsKept,
  'approvals revoke': async () => (await import('./store/approvals-show.js')).approvalsRevoke,
  'log tail': async () => (await import('./log/show.js')).logTail,
  'log show': async () => (await import('./log/show.js')).logShow,
  'log verify': async () => (await import('./log/verify.js')).logVerify,
  'log prove': async () => (await import('./log/prove.js')).logProve,
  'log key': async () => (await import('./log/prove.js')).logKey,
  'log query': async () => (await import('./log/query.js')).logQuery,
  'log stats': async () => (await import('./history/stats.js')).logStats,
  'log export': async () => (await import('./log/query.js')).logExport,
  report: async () => (await import('./history/report.js')).report,
  learn: async () => (await import('./history/learn.js')).learn,
  replay: async () => (await import('./history/replay.js')).replay,
  hook: async () => {
    const { answer } = await import('./hook/answer.js');
    const { clientNamed } = await import('./given/client.js');
    const judge = () => import('./hook/judge-here.js');
    return (host, name, options) =>
      answer(host, clientNamed(name, ['install', 'uninstall']), { ...options, judge });
  },
  'hook install': async () => (await import('./hook/install.js')).install,
  'hook uninstall': async () => (await import('./hook/install.js')).uninstall,
  doctor: async () => (await import('./hook/doctor.js')).doctor,
  import: async () => (await import('./hook/rules.js')).importSettings,
  compile: async () => (await import('./hook/rules.js')).compilePolicies,
  gateway: async () => (await import('./gateway/gateway.js')).gateway,
  'gateway pins list': async () => (await import('./gateway/pins.js')).listPins,
  'gateway pins accept': async () => (await import('./gateway/pins.js')).accept,
  completion: async () => (await import('./completion.js')).completion,
};
