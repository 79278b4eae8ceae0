import { spawnSync } from 'node:child_process';
import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, firstSeed } from '../../../../test/depth.js';
import type { Effects } from '../../src/programs/effects.js';
import { javascript } from '../../src/programs/interpreted/javascript.js';
import { python } from '../../src/programs/interpreted/python.js';
import { text } from '../../src/word.js';

const around = { folder: null, by: 'program' } as const;

/** `read a` for each file that a text is said to touch; null if it may do anything. */
function touched(effects: Effects | undefined): readonly string[] | null {
  if (effects === undefined || typeof effects === 'string') return null;
  const found = effects
    .filter((effect) => effect.kind !== 'code' || effect.isDescribed !== true)
    .map((effect) =>
      effect.kind === 'path' && effect.word.kind === 'text' ? `${effect.access} ${effect.word.text}` : null,
    );
  return found.every((each) => each !== null) ? found : null;
}

interface Parts {
  readonly around: string;
  readonly opening: string;
  readonly before: string;
  readonly closing: string;
}

/** Texts with a call of `M` between parts of a language, in which it may stand in a text, a comment or a pattern. */
function hiding({ around, opening, before, closing }: Parts) {
  const one = (list: string) => fc.constantFrom(...list.trim().split(/\s+/).map(unescaped));
  const some = (list: string, most: number) =>
    fc.array(one(list), { maxLength: most }).map((found) => found.join(''));
  return fc
    .tuple(some(around, 4), one(opening), some(before, 2), one(closing), some(around, 3))
    .map(([first, open, start, close, last]) => [first, open, start, 'M()', close, last].join(''));
}

/** `_` stands for a space, `N`, `R` and `S` for line ends. */
function unescaped(part: string): string {
  return part.replaceAll('_', ' ').replaceAll('N', '\n').replaceAll('R', '\r').replaceAll('S', '\u2028');
}

const ofJavaScript = hiding({
  around: `/ / ' " \` // /* */ N N R S ; ( ) [ ] { } x x 1 2 ++ -- => ! , = + * return_ typeof_ in_ of_ for_(const_y_of_[1])_ if_(1)_
    f(1) \\ \${ ?. ? : # < > function_g()_{ break case_ switch_(1)_{ default: do_ else_ x.y x[0] void_ throw_ <!-- --> await_ /a/ .5 /2`,
  opening: `' " \` / // /* /' /" '/ ++/' breakN/' await_/' x!/' \`\${`,
  before: '; /.y; /; N R S x + * ]/ } ) a',
  closing: `' " \` / //' //" /*' N */ '/ }\` R`,
});

const ofPython = hiding({
  around: `' " ''' """ # N N R S ; : ( ) [ ] { } {{ }} x p = + - f" f' f''' r' b' if_1:_ for_x_in_[1]:_ lambda:_ return_ print( open(p) 'a'
    {x {x: !r} =} x} \\ p_=_ p:_str_=_ not_ else_ pass 1 1e5 @ , := coding:_utf-7 x.y`,
  opening: `' " ''' """ # f' f'''{x_ f"{x r' #_ x_=_'`,
  before: '; N R S x + } ) # a {',
  closing: `' " ''' """ N R }' }''' }" #'`,
});

describe('a text that is taken for plain', () => {
  it('makes no call that it hides from the reader, in JavaScript', { timeout: 600_000 }, () => {
    let accepted = 0;
    fc.assert(
      fc.property(ofJavaScript, (body) => {
        const code = `let x = 1\nconst f = (a) => a\n${body}`;
        if (touched(javascript.node?.(text(code), around)) === null) return;
        accepted += 1;
        expect({ code, calls: callsIn(code) }).toEqual({ code, calls: 0 });
      }),
      explore(100_000, firstSeed),
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('makes no such call in Python, and opens what it names', { timeout: 600_000 }, () => {
    const bodies = fc.sample(ofPython, { numRuns: explore(200_000).numRuns, seed: firstSeed });
    const accepted = bodies.flatMap((body) => {
      const code = `x = 1\np = 'a'\n${body}`;
      const said = touched(python.python?.(text(code), around));
      return said === null ? [] : [{ code, said }];
    });
    expect(accepted.length).toBeGreaterThan(50);
    const { status, stdout } = spawnSync('python3', ['-W', 'ignore', '-c', runner], {
      input: JSON.stringify(accepted.map(({ code }) => code)),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    // Without python3 on this machine, nothing is compared.
    if (status === null) return;
    const found = JSON.parse(stdout) as readonly (readonly [number, readonly string[]])[];
    const wrong = accepted.filter(({ said }, index) => {
      const [calls, opened] = found[index] ?? [1, []];
      return calls > 0 || opened.some((each) => !said.includes(each));
    });
    expect(wrong).toEqual([]);
  });
});

/** How often the code calls `M`; none if it is not valid. */
function callsIn(code: string): number {
  let calls = 0;
  const context = createContext({
    M: () => {
      calls += 1;
    },
  });
  try {
    new Script(code).runInContext(context, { timeout: 1_000 });
  } catch {
    // What it does after an error does not count.
  }
  return calls;
}

/** Runs each text of a list, with `M` and `open` that only count. */
const runner = `
import io, json, signal, sys
class Late(BaseException): pass
def late(*_): raise Late()
signal.signal(signal.SIGALRM, late)
found = []
out, sys.stdout = sys.stdout, io.StringIO()
for code in json.load(sys.stdin):
    calls, opened = [], []
    def opens(path, mode='r', *_, **__):
        if set(mode) & set('wax+'): opened.append('write ' + path)
        if set(mode) & set('r+'): opened.append('read ' + path)
        return io.BytesIO(b'a') if 'b' in mode else io.StringIO('a')
    try:
        signal.setitimer(signal.ITIMER_REAL, 1)
        exec(compile(code.encode(), 'text', 'exec'), {'M': lambda *_: calls.append(1), 'open': opens})
    except BaseException: pass
    finally: signal.setitimer(signal.ITIMER_REAL, 0)
    found.append([len(calls), opened])
out.write(json.dumps(found))
`;
