import { describe, expect, it, test } from 'vitest';
import { effectsOf } from './context.js';

/** Ordinary programs for jq, one a line. */
const ordinary = String.raw`
.
.name
.scripts
.dependencies | keys[]
.[0].id
.items[] | .metadata.name
.[] | select(.age > 30)
.[] | select(.name | test("^a.*z$"; "i")) | .id
map(.price) | add
map(select(.state == "open")) | length
[.[] | {name, id: .node_id}]
{name: .name, end: .end, if: 1, "a b": 2, (.key): 3, $__loc__, @base64 "x": 4}
to_entries | map("\(.key)=\(.value)") | join("\n")
to_entries[] | select(.value | type == "string") | .key
with_entries(.value |= tostring)
del(.devDependencies, .scripts.test)
.version = "1.2.3"
.version |= (split(".") | .[2] = ((.[2] | tonumber) + 1 | tostring) | join("."))
group_by(.type) | map({type: .[0].type, count: length})
sort_by(-.count)[:10]
unique_by(.id) | reverse | first
max_by(.size).path // "none"
[paths(scalars) | join(".")]
.. | objects | select(has("env")) | .env
.. | strings
reduce .[] as $item ({}; .[$item.id] = $item)
foreach .[] as $x (0; . + $x; [$x, .])
if .a then .b elif .c then .d else empty end
{a: (if .x then 1 else 2 end), b: .y}
.a // empty
.a? // .b?
try (.a | fromjson) catch "bad"
. as {a: $x, b: [$y, $z]} | $x + $y + $z
. as [$a, {b: $c}] ?// $a | [$a, $c]
label $out | foreach .[] as $i (0; . + 1; if . > 3 then ., break $out else . end)
def total: map(.n) | add; total
def f(g; $x): g | . + $x; [.[] | f(.a; 1)]
def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac
def pair: def left: .[0]; def right: .[1]; [left, right]; map(pair)
[limit(3; .[])] | @json
@csv
.[] | [.a, .b] | @tsv
"https://a.example/?q=\(.q | @uri)&p=\(.p // 1)"
@sh "rm \(.file)"
.data | @base64d | fromjson
.time | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime
now | todate | split("T")[0]
[inputs | .id] | length
input_filename
input | .a, input_line_number
.a[2:4], .a[-1:], .a["b"], ."c d", .["e"]
walk(if type == "object" then del(.secret) else . end)
getpath(["a", "b"]) | tojson | ascii_downcase | ltrimstr("x") | @text
any(.[]; . == 1), all(.[]; . > 0), (.[] | not)
[.[] | .name |= ascii_upcase | gsub("\\s+"; "-")] # names
splits(", *"), scan("[a-z]+"), capture("(?<year>\\d+)")
$ARGS.named.x, $x, $__prog_args
.a += 1 | .b -= 1 | .c *= 2 | .d /= 2 | .e %= 2 | .f //= 3
[range(0; 10; 2)] | (add / length | floor), (min, max, last)
tostream | select(length == 2) | .[0] |= map(tostring)
.a and .b or (.c | not), (.d != null), (.e >= 1e3), (.f <= -.5)
INDEX(.id) | IN(.[]; 1), pick(.a.b), abs, toarray, trim, have_decnum, error("no"), debug("x"), halt
.env.import.include | .modulemeta, .["$ENV"], "import $ENV"
`
  .split('\n')
  .filter((line) => line !== '');

const beyond = [
  'import "a" as a; 1',
  'include "a"; 1',
  '"a" | modulemeta',
  'get_search_list',
  'a::b',
  'frobnicate',
  'frobnicate(1)',
  '"\\(frobnicate)"',
  '@frobnicate',
  'modulemeta | (def modulemeta: 1; 2)',
  '(def modulemeta: 1; 2) | modulemeta',
  'def f: def modulemeta: 1; 2; modulemeta',
  'f(def modulemeta: 1; modulemeta)',
  'map(def modulemeta: 1; 2; modulemeta)',
  'if def modulemeta: 1; 2 then modulemeta else 1 end',
  'def f(modulemeta): 1; modulemeta',
  'def modulemeta(a): 1; modulemeta',
  '{a: if 1 then 1, modulemeta else 2 end}',
  '{a: modulemeta}',
  '.[modulemeta:2]',
  '. modulemeta',
  '1 # \\\n | modulemeta',
  '1 # a \r | modulemeta',
  '"a',
  '(1',
  '1)',
  "'a'",
  'if 1 then 2',
];

describe('a program for jq', () => {
  it.each(ordinary)('%s', (program) => {
    expect(effectsOf('jq', [program])).toStrictEqual([]);
  });

  it.each(beyond)('is opaque: %j', (program) => {
    expect(effectsOf('jq', [program])).toStrictEqual(['opaque']);
  });

  it.each([
    ['env.HOME', 'env.read HOME'],
    ['$ENV', 'env.read'],
    ['$ ENV.A', 'env.read A'],
    ['{a: env}', 'env.read'],
    ['"\\(env.A)"', 'env.read A'],
    ['.[env:2]', 'env.read'],
    ['{a: if 1 then 1, env.A else 2 end}', 'env.read A'],
    ['def env(a): 1; env', 'env.read'],
  ])('%s reads the environment', (program, effect) => {
    expect(effectsOf('jq', [program])).toContain(effect);
  });
});

/** Ordinary programs for yq by Mike Farah, one a line. */
const ordinaryYaml = `
.a.b
.default = "pre_approved"
.services.web.ports[0]
.metadata.annotations.my-key
.a-b.c-d[] | select(.x-y == "z")
.a/b
.spec.template.spec.containers[0].image |= sub("v1"; "v2")
.items[] | select(.kind == "Deployment") | .metadata.name
select(fileIndex == 0) * select(fileIndex == 1)
select(fi == 0) *+ select(fi == 1)
. *nd {"a": 1}
. as $item ireduce ({}; . * $item)
.a | keys | .[] | to_entries
del(.a.b) | sort_keys(..)
.. | select(tag == "!!str")
.a style="double" | .b lineComment="x"
explode(.) | to_json(2)
.a | to_yaml, @json, (.b | length)
with(.a; .b = 1 | .c = 2)
... comments=""
.[] | has("x") | not
documentIndex, filename, line
`
  .split('\n')
  .filter((line) => line !== '');

describe('a program for yq', () => {
  it.each(ordinaryYaml)('%s', (program) => {
    expect(effectsOf('yq', [program])).toStrictEqual([]);
  });

  it.each([
    ['load("a.yaml")', 'read a.yaml'],
    ['. * load("a.yaml")', 'read a.yaml'],
    ['load_str(.a)', 'read ?'],
    ['.a = env(B)', 'env.read B'],
    ['.a = strenv(B)', 'env.read B'],
    ['(.. | select(tag == "!!str")) |= envsubst(nu)', 'env.read'],
    ['.a-env', 'env.read'],
  ])('%s accesses what it names', (program, effect) => {
    expect(effectsOf('yq', [program])).toStrictEqual([effect]);
  });

  it.each([
    'eval(.a)',
    'system("id")',
    'frobnicate',
    'frobnicate("x")',
    '.a# | load("x")',
    '.a"b | load("x")',
    '"\\(" | load("now") | ")"',
    '.a-modulemeta',
  ])('is opaque: %j', (program) => {
    expect(effectsOf('yq', [program])).toStrictEqual(['opaque']);
  });

  test('is distinguished from a file name', () => {
    expect(effectsOf('yq', ['.a', 'src/config.yaml', 'Makefile'])).toStrictEqual([
      'read src/config.yaml',
      'read Makefile',
    ]);
    expect(effectsOf('yq', ['values.yaml'])).toStrictEqual(['read values.yaml']);
    expect(effectsOf('yq', ['e', '.a', 'values.yaml'])).toContain('read values.yaml');
    expect(effectsOf('yq', ['e', 'system("id")', 'a.yaml'])).toStrictEqual(['opaque']);
    expect(effectsOf('yq', ['e', '.a', 'values.yaml'])).not.toContain('opaque');
  });
});
