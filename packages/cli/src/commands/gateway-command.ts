import type { TableCommand } from './command.js';
import { seconds } from './options.js';

export function addGatewayCommand(program: TableCommand): void {
  const gateway = program
    .command('gateway')
    .description('guard an MCP server: judge each call before it reaches it')
    .argument('[COMMAND...]', 'the server’s program with its arguments, after `--`')
    .option('--config <FILE>', 'file that names several servers, instead of COMMAND')
    .list('--policy <FILE>', 'policy file (repeatable)')
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
    .list('--env <NAME>', 'variable that the server sees (repeatable)')
    .option('--url <URL>', 'URL of a server over HTTP, instead of COMMAND')
    .option('--server-token <NAME>', 'variable with the bearer token that the server at --url gets')
    .option('--listen <HOST:PORT>', 'serve over HTTP at `/mcp` (default: stdin and stdout)')
    .option('--token <NAME>', 'variable with the bearer token that clients send to --listen')
    .option('--issuer <URL>', 'OAuth authorization server that issues access tokens for --listen')
    .option('--scope <NAME>', 'scope that an access token needs')
    .option('--resource <URL>', 'the URL that clients use for --listen: the audience of access tokens')
    .option('--isolate', 'run the server confined: it can read files, but has no network')
    .list('--write <DIR>', 'folder that a confined server may write in (repeatable)')
    .option('--network', 'a confined server may connect to all hosts')
    .list('--host <HOST[:PORT]>', 'host that a confined server may connect to (repeatable)')
    .option('--trusted', 'believe the server’s hints about its own tools')
    .option('--carries <FILE>', 'what the server’s tools do, from their arguments')
    .does(async () => (await import('./gateway/gateway.js')).gateway);
  const pins = gateway.command('pins').description('list and accept definitions that servers changed');
  pins
    .command('list')
    .description('show what changed since a person accepted it')
    .option('--root <DIR>', 'the project')
    .json()
    .does(async () => (await import('./gateway/pins.js')).listPins);
  pins
    .command('accept')
    .description('accept changed definitions')
    .argument('<SERVER>', 'its file, as `pins list` names it')
    .argument('[NAME...]', 'their names, as `pins list` shows them (default: all)')
    .option('--root <DIR>', 'the project')
    .json()
    .does(async () => (await import('./gateway/pins.js')).accept);
}
