import { createHash } from 'node:crypto';
import { chmodSync, realpathSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { usualSearchPath } from '@ambit/shell';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  decisionOn,
  gate,
  no,
  openAt,
  runAt,
  sessionAt,
  worker,
  writeFiles,
  yes,
} from '../session.js';
import { allowing, mcpPlace, processesAbout, program, serverAt, starts } from './mcp-place.js';

describe('an MCP server', () => {
  const isKnown = usualSearchPath.includes(dirname(realpathSync(process.execPath)));
  it.runIf(isKnown)('is started by its own judged call before its tools are available', async () => {
    const place = mcpPlace();
    const { events, status } = await runAt(place);
    expect(status).toBe('finished');
    expect(callsIn(events)).toEqual([
      ['main', 'toolset.start', 'pre_approved', 'completed'],
      ['main', 'mcp-x.hello', 'pre_approved', 'completed'],
    ]);
    expect(carriedBy(events, 'toolset.start')).toEqual([
      {
        name: 'proc.exec',
        program: process.execPath,
        argv: [process.execPath, 'server.mjs'],
        cwd: place.root,
      },
      { name: 'fs.read', path: place.path('server.mjs'), by: process.execPath },
      {
        name: 'code.load',
        path: place.path('server.mjs'),
        sha256: createHash('sha256')
          .update(place.text('server.mjs') ?? '')
          .digest('hex'),
        by: process.execPath,
      },
      {
        name: 'proc.exec.opaque',
        program: process.execPath,
        argv: [process.execPath, 'server.mjs'],
        cwd: place.root,
        why: 'it runs what the script says',
      },
      { name: 'content.untrusted', source: 'mcp-x' },
    ]);
    expect(decisionOn(events, 'toolset.start').args).toEqual({
      toolset: 'mcp-x',
      trusted: false,
      command: process.execPath,
      args: ['server.mjs'],
      cwd: place.root,
      env: {},
    });
    expect(carriedBy(events, 'mcp-x.hello')).toEqual([
      {
        name: 'mcp.call',
        server: 'mcp-x',
        tool: 'hello',
        read_only: false,
        destructive: true,
        open_world: true,
      },
      { name: 'content.untrusted', source: 'mcp-x' },
    ]);
    expect(events[0]).toMatchObject({ toolsets: { 'mcp-x': expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  it.each([
    ['blocked', 'approve_all', 'blocked'],
    ['needs_approval', 'strict', 'strict'],
    ['needs_approval', 'interactive', 'denied'],
    [{ decision: 'needs_approval', answer: 'person' }, 'approve_all', 'wants_person'],
  ] as const)('is not started if that is %j in the mode %s', async (rule, mode, code) => {
    const place = mcpPlace({ 'policy.yaml': allowing({ 'proc.exec': rule }) });
    const { status, why, events } = await runAt(place, { mode, approver: asking(() => no).approver });
    expect([status, why]).toEqual([
      'failed',
      expect.stringContaining(`the toolset mcp-x may not start: ${code}`),
    ]);
    expect(callsIn(events)).toEqual([['main', 'toolset.start', expect.any(String), code]]);
    expect(starts(place)).toBe(0);
  });

  it('is ended with the run and all its processes, before the end is recorded', async () => {
    const place = mcpPlace({
      'server.mjs': program(`
        import { spawn } from 'node:child_process';
        process.on('SIGTERM', () => {});
        process.stdin.on('end', () => setInterval(() => {}, 1000));
        spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', import.meta.url], { detached: true, stdio: 'ignore' }).unref();
        serve({ tools: [tool('hello')] });
      `),
    });
    const { status } = await runAt(place);
    expect([status, starts(place), processesAbout(place.root)]).toEqual(['finished', 1, []]);
  });

  it('is ended when the session closes during a hanging call', async () => {
    const place = mcpPlace({
      'server.mjs': program(`serve({ tools: [tool('hello')], call: () => undefined });`),
    });
    const hello = gate();
    const session = await sessionAt(place, {
      onEvent: (event) => {
        if (
          event.type === 'recorded' &&
          event.event.event === 'decision' &&
          event.event.tool === 'mcp-x.hello'
        )
          hello.open();
      },
    });
    const running = session.run({});
    await hello.opened;
    await session.close();
    expect((await running).status).toBe('stopped');
    expect(processesAbout(place.root)).toEqual([]);
  });

  it('is judged for each of two referring workers, and started once', async () => {
    const place = mcpPlace({
      'policy.yaml': allowing({
        'proc.exec': 'pre_approved',
        'mcp.call': 'pre_approved',
        'worker.call': 'pre_approved',
      }),
      'main.worker': worker({ toolsets: { a: {}, b: {} } }),
      'a.worker': worker({ toolsets: { 'mcp-x': serverAt('server.mjs') } }),
      'b.worker': worker({ toolsets: { 'mcp-x': serverAt('server.mjs') } }),
      'script.yaml': {
        main: [calls(['a', { input: 'x' }], ['b', { input: 'x' }]), { say: 'done' }],
        a: [calls(['hello']), { say: 'done' }],
        b: [calls(['bye']), { say: 'done' }],
      },
    });
    const { events } = await runAt(place);
    expect(
      callsIn(events)
        .map(([chain, tool, , came]) => `${chain}: ${tool} ${came}`)
        .sort(),
    ).toEqual([
      'main > a: mcp-x.hello completed',
      'main > a: toolset.start completed',
      'main > b: mcp-x.bye completed',
      'main > b: toolset.start completed',
      'main: worker.a completed',
      'main: worker.b completed',
    ]);
    expect(starts(place)).toBe(1);
  });

  it('cannot have two definitions under one name', async () => {
    const place = mcpPlace({
      'main.worker': worker({ toolsets: { a: {}, 'mcp-x': serverAt('server.mjs') } }),
      'a.worker': worker({ toolsets: { 'mcp-x': serverAt('server.mjs', { trusted: true }) } }),
    });
    const opened = await openAt(place);
    expect(opened).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'TWO_TOOLSETS',
          message: 'a.worker:1:14 states a different server as `mcp-x` than main.worker:1:21',
        },
      ],
    });
  });

  it('fails the worker with its last output, escaped, if it does not start or ends at once', async () => {
    const place = mcpPlace({ 'server.mjs': `console.error('no \\u001b[2Jkey'); process.exit(1);` });
    const { status, why } = await runAt(place);
    expect([status, why]).toEqual([
      'failed',
      expect.stringContaining('the toolset mcp-x did not start: mcp-x: '),
    ]);
    expect(why).toContain('its last words: "no \\u001b[2Jkey"');
  });

  it('cannot be started if its program is missing, and no question is asked', async () => {
    const place = mcpPlace({
      'main.worker': worker({ toolsets: { 'mcp-x': { command: 'nothing-of-this-name' } } }),
    });
    const { why, events } = await runAt(place);
    expect(why).toContain('there is no program `nothing-of-this-name` to start mcp-x with');
    expect(callsIn(events)).toEqual([['main', 'toolset.start', 'pre_approved', 'cannot']]);
  });

  it('requires a prefix if another toolset has a tool of the same name', async () => {
    const files = {
      'server.mjs': program(`serve({ tools: [tool('write_file')] });`),
      'policy.yaml': allowing({ 'proc.exec': 'pre_approved', 'mcp.call': 'pre_approved' }),
      'script.yaml': { main: [calls(['x_write_file']), { say: 'done' }] },
    };
    const toolsets = (more = {}) => ({ filesystem: {}, 'mcp-x': serverAt('server.mjs', more) });
    const place = mcpPlace({ ...files, 'main.worker': worker({ toolsets: toolsets() }) });
    const { why } = await runAt(place);
    expect(why).toBe('two tools of main are called `write_file`: filesystem.write_file and mcp-x.write_file');
    writeFiles(place, { 'main.worker': worker({ toolsets: toolsets({ prefix: 'x_' }) }) });
    const { events } = await runAt(place);
    expect(callsIn(events).at(-1)).toEqual(['main', 'mcp-x.write_file', 'pre_approved', 'completed']);
  });

  it('does not get the host’s environment', async () => {
    const place = mcpPlace({
      'server.mjs': program(
        `serve({ tools: [tool('hello')], call: () => text(Object.keys(process.env).sort().join()) });`,
      ),
      'main.worker': worker({ toolsets: { 'mcp-x': serverAt('server.mjs', { env: { OWN: 'yes' } }) } }),
      'policy.yaml': allowing({
        'proc.exec': 'pre_approved',
        'mcp.call': 'pre_approved',
        'env.set': 'pre_approved',
      }),
    });
    const { events } = await runAt(place, { environment: { ANTHROPIC_API_KEY: 'x', GITHUB_TOKEN: 'x' } });
    expect(carriedBy(events, 'toolset.start')).toContainEqual({
      name: 'env.set',
      variable: 'OWN',
      value: 'yes',
    });
    expect(callsIn(events).at(-1)?.[3]).toBe('completed');
  });

  it('is not started if the path of its program leads elsewhere after the approval', async () => {
    const place = mcpPlace({
      'policy.yaml': allowing({ 'proc.exec': { decision: 'needs_approval', answer: 'person' } }),
      'a/tool': `#!/bin/sh\nexec ${process.execPath} ${'$'}{0%/*}/../server.mjs\n`,
      'b/tool': '#!/bin/sh\necho b > stolen\n',
      'main.worker': worker({ toolsets: { 'mcp-x': { command: './link/tool' } } }),
    });
    for (const name of ['a/tool', 'b/tool']) chmodSync(place.path(name), 0o755);
    symlinkSync('a', place.path('link'));
    const { approver, questions } = asking(() => {
      unlinkSync(place.path('link'));
      symlinkSync('b', place.path('link'));
      return yes;
    });
    const { why } = await runAt(place, { mode: 'interactive', approver });
    expect([questions.length, why]).toEqual([
      1,
      `a guarded file changed: toolset module ${place.path('link/tool')} was replaced; look at it, then begin a new run or session`,
    ]);
    expect([starts(place), place.text('stolen')]).toEqual([0, null]);
  });

  it('runs in the folder from its worker file, also relative to the home folder', async () => {
    const place = mcpPlace({
      'home/tools/server.mjs': program(`serve({ tools: [tool('hello')] });`),
      'main.worker': worker({ toolsets: { 'mcp-x': serverAt('server.mjs', { cwd: '~/tools' }) } }),
    });
    const { events } = await runAt(place, { environment: { HOME: place.path('home') } });
    expect(carriedBy(events, 'toolset.start')[0]).toMatchObject({ cwd: place.path('home/tools') });
    expect(callsIn(events).at(-1)?.[3]).toBe('completed');
  });

  it('is protected from the run: its program is guarded', async () => {
    const place = mcpPlace({
      'policy.yaml': allowing({ 'proc.exec': 'pre_approved', 'fs.write': 'pre_approved' }),
      'tools/server.mjs': program(`serve({ tools: [tool('hello')] });`),
      'main.worker': worker({
        sandbox: { paths: { tools: { root: './tools', mode: 'rw' } } },
        toolsets: { filesystem: {}, 'mcp-x': serverAt('tools/server.mjs') },
      }),
      'script.yaml': {
        main: [calls(['write_file', { path: 'tools/server.mjs', content: '' }]), { say: 'done' }],
      },
    });
    const { events } = await runAt(place);
    expect(carriedBy(events, 'filesystem.write_file')).toContainEqual({
      name: 'sys.guard',
      what: 'toolset module',
      path: place.path('tools/server.mjs'),
    });
    expect(callsIn(events).at(-1)?.[3]).toBe('blocked');
  });
});
