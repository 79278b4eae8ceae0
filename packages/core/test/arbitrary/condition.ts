import fc from 'fast-check';
import {
  both,
  type CallView,
  type CapabilityView,
  type Condition,
  either,
  isUndecided,
  type Json,
  type JsonObject,
  negation,
  type Truth,
} from '../../src/index.js';

/** What a condition must not do, for the laws that except it. */
export interface Without {
  /** Reads `chain`. */
  readonly chain?: boolean;
  /** Is decided because something is absent. */
  readonly absence?: boolean;
}

interface Sample<View> {
  readonly label: string;
  readonly reads?: keyof Without;
  readonly condition: Condition<View>;
}

const undecided: Truth = { undecided: 'it is not said' };

/** Equality of a value that may be missing or of another kind: undecided then. */
function isEqual(of: JsonObject, key: string, value: Json): Truth {
  const found = Object.hasOwn(of, key) ? of[key] : undefined;
  return found === undefined || typeof found !== typeof value ? undecided : found === value;
}

const aboutCalls: readonly Sample<CallView>[] = [
  { label: 'true', condition: () => true },
  { label: 'true', condition: () => true },
  { label: 'true', condition: () => true },
  { label: 'false', condition: () => false },
  { label: 'undecided', condition: () => undecided },
  { label: 'args.x == 1', condition: ({ args }) => isEqual(args, 'x', 1) },
  { label: 'args.x != 1', condition: ({ args }) => negation(isEqual(args, 'x', 1)) },
  { label: 'context.env == ci', condition: ({ context }) => isEqual(context, 'env', 'ci') },
  { label: 'context.env != ci', condition: ({ context }) => negation(isEqual(context, 'env', 'ci')) },
  { label: 'worker == helper', condition: ({ worker }) => worker === 'helper' },
  { label: 'tool == box.put', condition: ({ tool, toolset }) => tool === 'box.put' && toolset === 'box' },
  { label: 'now > 1', condition: ({ now }) => now > 1 },
  { label: 'main in chain', reads: 'chain', condition: ({ chain }) => chain.includes('main') },
  { label: 'chain is short', reads: 'chain', condition: ({ chain }) => chain.length < 2 },
];

const aboutCapabilities: readonly Sample<CapabilityView>[] = [
  { label: 'path == /w/a', condition: ({ capability }) => isEqual(capability, 'path', '/w/a') },
  { label: 'path != /w/a', condition: ({ capability }) => negation(isEqual(capability, 'path', '/w/a')) },
  { label: 'bytes == 9', condition: ({ capability }) => isEqual(capability, 'bytes', 9) },
  {
    label: 'path == /w/a and bytes != 9',
    condition: ({ capability }) =>
      both([isEqual(capability, 'path', '/w/a'), negation(isEqual(capability, 'bytes', 9))]),
  },
  {
    label: 'path == /w/b or args.x == 1',
    condition: ({ capability, args }) => either([isEqual(capability, 'path', '/w/b'), isEqual(args, 'x', 1)]),
  },
  {
    label: 'missing path',
    reads: 'absence',
    condition: ({ capability }) => !Object.hasOwn(capability, 'path'),
  },
  {
    label: 'bytes, or 0, == 9',
    reads: 'absence',
    condition: ({ capability }) => {
      const truth = isEqual(capability, 'bytes', 9);
      return isUndecided(truth) ? false : truth;
    },
  },
];

export function callCondition(without: Without = {}): fc.Arbitrary<Condition<CallView>> {
  return chosen(aboutCalls, without);
}

export function capabilityCondition(without: Without = {}): fc.Arbitrary<Condition<CapabilityView>> {
  return chosen<CapabilityView>([...aboutCalls, ...aboutCapabilities, ...aboutCapabilities], without);
}

function chosen<View>(samples: readonly Sample<View>[], without: Without): fc.Arbitrary<Condition<View>> {
  const allowed = samples.filter(({ reads }) => reads === undefined || without[reads] !== true);
  return fc.constantFrom(...allowed).map(({ label, condition }) =>
    // A counterexample then says what a rule asks, not how the test is written.
    Object.assign((view: View) => condition(view), { [fc.toStringMethod]: () => label }),
  );
}
