import type { Command } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { collected, json, seconds } from './options.js';

export function addGatewayCommand(program: Command, host: Host, done: (exit: Exit) => void): void {
  const gateway = program
    .command('gateway')
    .description('guard an MCP server: judge each call before it reaches it')
    .argument('[COMMAND...]', 'the server’s program with its arguments, after `--`')
    .option('--config <FILE>', 'file that names several servers, instead of COMMAND')
    .option('--policy <FILE>', 'policy file (repeatable)', collected, [])
    .option('--name <NAME>', 'name of the server: `mcp-NAME` in policies')
    .option('--as <NAME>', 'name of the client in policies and the log', 'gateway')
    .option('--root <DIR>', 'folder of the project (default: the working folder)')
    .option('--hold <SECONDS>', 'how long a call waits for `ambit approvals`', seconds, 50)
    .option('--no-hold', 'refuse such a call at once; the next try has the answer')
    .option(
      '--start-timeout <SECONDS>',
      'how long the server may take to answer or to list (default: 60)',
      seconds,
    )
    .option('--env <NAME>', 'variable that the server sees (repeatable)', collected, [])
    .option('--url <URL>', 'URL of a server over HTTP, instead of COMMAND')
    .option('--server-token <NAME>', 'variable with the bearer token that the server at --url gets')
    .option('--listen <HOST:PORT>', 'serve over HTTP at `/mcp` (default: stdin and stdout)')
    .option('--token <NAME>', 'variable with the bearer token that clients send to --listen')
    .option('--issuer <URL>', 'OAuth authorization server that issues access tokens for --listen')
    .option('--scope <NAME>', 'scope that an access token needs')
    .option('--resource <URL>', 'the URL that clients use for --listen: the audience of access tokens')
    .option('--isolate', 'run the server confined: it can read files, but has no network')
    .option('--write <DIR>', 'folder that a confined server may write in (repeatable)', collected, [])
    .option('--network', 'a confined server may connect to others')
    .option('--trusted', 'believe the server’s hints about its own tools')
    .option('--carries <FILE>', 'what the server’s tools do, from their arguments')
    .action(async (command: string[], options) =>
      done(await (await import('./gateway/gateway.js')).gateway(host, command, options)),
    );
  const pins = gateway.command('pins').description('definitions that servers changed');
  pins
    .command('list')
    .description('show what changed since a person accepted it')
    .option('--root <DIR>', 'the project')
    .option('--json', json)
    .action(async (options) => done(await (await import('./gateway/pins.js')).listPins(host, options)));
  pins
    .command('accept')
    .description('accept changed definitions')
    .argument('<SERVER>', 'its file, as `pins list` names it')
    .argument('[NAME...]', 'their names, as `pins list` shows them (default: all)')
    .option('--root <DIR>', 'the project')
    .action(async (server: string, tools: string[], options) =>
      done(await (await import('./gateway/pins.js')).accept(host, { server, tools }, options)),
    );
}
