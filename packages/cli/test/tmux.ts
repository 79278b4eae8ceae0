import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { yamlForEsbuild } from '../../../scripts/yaml-module.mjs';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A real terminal, of 80 columns and many rows unless it is said otherwise, in which a command runs. */
export class Tmux {
  readonly #socket = `ambit-test-${process.pid}-${Math.random().toString(36).slice(2)}`;

  constructor(
    command: readonly string[],
    folder: string = tmpdir(),
    { columns = 80, rows = 100 }: { readonly columns?: number; readonly rows?: number } = {},
  ) {
    const size = ['-x', String(columns), '-y', String(rows)];
    const create = ['new-session', '-d', ...size, '-c', folder, ...command];
    // In one message: the command may be over before a second one.
    this.#tmux('-f', '/dev/null', ...create, ';', 'set-option', '-g', 'remain-on-exit', 'on');
  }

  /** Types keys, as `tmux send-keys` names them. */
  type(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  /** Pastes text as a terminal does, marked where the program asked for that. */
  paste(text: string): void {
    this.#tmux('set-buffer', text);
    this.#tmux('paste-buffer', '-p');
  }

  get screen(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-500').trimEnd();
  }

  /** What can be seen without going back, a line of the terminal each. */
  get visible(): string {
    return this.#tmux('capture-pane', '-p').trimEnd();
  }

  /** The same with the escape sequences of its colours. */
  get coloured(): string {
    return this.#tmux('capture-pane', '-p', '-e');
  }

  resize({ columns, rows }: { readonly columns: number; readonly rows: number }): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Waits until the screen holds a text, which it does `times` over. */
  async shows(text: string, times = 1): Promise<string> {
    // Less than the limit of a test, which could not show the screen.
    const limit = Date.now() + 110_000;
    for (;;) {
      const screen = this.screen;
      if (screen.split(text).length > times) return screen;
      if (Date.now() > limit) throw new Error(`the screen does not show ${text}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Types a key, over and over, until the screen holds a text. */
  async typesUntil(key: string, text: string): Promise<string> {
    for (let tries = 0; tries < 300 && !this.screen.includes(text); tries += 1) {
      this.type(key);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return this.shows(text);
  }

  end(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }
}

/** A script of these tests as one JavaScript file that node runs by itself. */
export async function bundled(script: string): Promise<{ readonly file: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-bundle-'));
  // What is bundled reads its version from the folder above its own.
  writeFileSync(join(folder, 'package.json'), '{"version": "0.0.0"}');
  await build({
    entry: { script: fileURLToPath(new URL(script, import.meta.url)) },
    outDir: join(folder, 'dist'),
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    config: false,
    silent: true,
    splitting: false,
    noExternal: [/.*/],
    esbuildPlugins: [yamlForEsbuild],
    esbuildOptions: (options) => {
      options.conditions = ['@ambit/source'];
      // Some of what is bundled is CommonJS and requires Node's own modules.
      options.banner = {
        js: `import { createRequire as r } from 'node:module'; const require = r(import.meta.url);`,
      };
    },
  });
  return {
    file: join(folder, 'dist', 'script.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
