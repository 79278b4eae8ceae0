import {
  builtIn,
  impliedRule,
  isAboutName,
  isCapabilityName,
  isWithin,
  type Rule,
  remembered,
} from '@ambit/core';
import type { Match, WrittenMember, WrittenPolicy, WrittenRule } from '@ambit/policy';
import { textsIn } from '@ambit/policy/internal';
import { possibilitiesOf } from '../../exact/compare.js';
import {
  certainly,
  type FormulaId,
  type Formulas,
  falsehood,
  type ThreeValued,
  truth,
} from '../../exact/formula/formula.js';
import { openSlot, type Slot } from '../../exact/formula/slot.js';
import { variableKey } from '../../exact/formula/variable.js';
import { isOwn, ruleTruth, type Workspace } from '../../exact/policy-formula.js';
import { workspaceFor } from '../../exact/situation.js';
import { type AnalysedRule, analysedPolicies, analysedRule } from '../../exact/subject-policy.js';
import { toolClasses } from '../../exact/vocabulary-of.js';
import { firstFree } from '../../exact/witness/chain-classes.js';
import { type CallValues, isTrueAt, likelyCall } from '../../exact/witness/likely-call.js';
import { Work } from '../../exact/witness/work.js';

const mostSteps = 100_000;

/** Longer conditions are not explored. */
const mostCuts = 100;
const longestGlobs = 1000;
const mostWildcards = 30;

/** With a call for a formula that can be true. */
interface Answer {
  readonly isPossible: boolean | null;
  readonly shown: CallValues;
}

const nothing: CallValues = new Map();

/** Asks the explorer about single rules. Answers are certain; null if unknown or too costly. */
export class Inquiry {
  readonly #workspace: Workspace;
  readonly #analysed = new Map<object, AnalysedRule>();
  readonly #answers = new Map<FormulaId, Answer>();
  readonly #claims = new Map<AnalysedRule, Map<string, Claims>>();
  readonly #slots = new Map<AnalysedRule, readonly Slot[]>();

  constructor(policies: readonly WrittenPolicy[]) {
    const all = analysedPolicies(policies);
    for (const { rules } of all) for (const each of rules) this.#analysed.set(each.rule, each);
    for (const { rules, document } of policies)
      for (const [index, written] of document.rules.entries()) {
        const analysed = this.#analysed.get(rules[index] as Rule);
        if (analysed !== undefined) this.#analysed.set(written, analysed);
      }
    this.#workspace = workspaceFor(all, new Work(mostSteps));
  }

  memberRule(member: WrittenMember): AnalysedRule {
    const { name, match, except } = member;
    const analysed = () => ({ ...analysedRule({ ...impliedRule, name }), match, except });
    return remembered(this.#analysed, member, analysed);
  }

  ruleOf(rule: WrittenRule | Rule): AnalysedRule {
    return this.#analysed.get(rule) as AnalysedRule;
  }

  /** Whether a rule applies, at least as certainly, wherever another does. */
  isWithin(inner: AnalysedRule, outer: AnalysedRule): boolean | null {
    if (!isNameWithin(inner.rule, outer.rule)) return false;
    let isKnown = true;
    for (const slot of this.#slotsFor(inner, outer)) {
      const answer = this.#isWithinAt(slot, inner, outer);
      if (answer === false) return false;
      isKnown &&= answer === true;
    }
    return isKnown ? true : null;
  }

  #isWithinAt(slot: Slot, inner: AnalysedRule, outer: AnalysedRule): boolean | null {
    const [one, other] = [this.#claimsOf(inner, slot), this.#claimsOf(outer, slot)];
    if (one.isNotFalse === falsehood) return true;
    // Most rules are not within each other: one call that the inner rule applies to shows it.
    const { isPossible, shown } = this.#find(one.isTrue, [inner]);
    if (isPossible === null) return null;
    if (isPossible && isTrueAt(other.isTrue, shown, this.#workspace.atoms) === false) return false;
    const { formulas } = this.#workspace.atoms;
    const uncovered = formulas.and([one.covers, formulas.not(other.covers)]);
    return this.#isImpossible(formulas.or([exceeds(one, other, formulas), uncovered]), [inner, outer]);
  }

  /** For the conditions of two combinations. */
  isWhenWithin({ when: inner }: AnalysedRule, { when: outer }: AnalysedRule): boolean | null {
    const { conditions, atoms } = this.#workspace;
    const [one, other] = [inner, outer].map((when) => conditions.when(when?.expression ?? null, null));
    return this.#isImpossible(exceeds(one as ThreeValued, other as ThreeValued, atoms.formulas), []);
  }

  /** Whether everything that a match certainly covers is certainly excepted. */
  isExcepted(match: Match, except: Match): boolean | null {
    const { formulas } = this.#workspace.atoms;
    const taken = formulas.not(this.#match(except).isTrue);
    return this.#isImpossible(formulas.and([this.#match(match).isTrue, taken]), []);
  }

  /** Whether an exception takes nothing away from a match. */
  isIdle(match: Match, except: Match): boolean | null {
    const { formulas } = this.#workspace.atoms;
    const [covered, excepted] = [this.#match(match), this.#match(except)];
    const taken = [
      formulas.and([covered.isTrue, excepted.isNotFalse]),
      formulas.and([covered.isNotFalse, excepted.isTrue]),
    ];
    return this.#isImpossible(formulas.or(taken), []);
  }

  /** The truths that a `when` may have; an unknown one is possible. */
  truthsOf(rule: AnalysedRule): Record<'isTrue' | 'isFalse' | 'isUndecided', boolean> {
    const { formulas } = this.#workspace.atoms;
    const concerned: AnalysedRule = { ...rule, match: null, except: null, until: null };
    const isCombination = rule.rule.about === 'combination';
    const mayBe = (formula: FormulaId) => this.#isImpossible(formula, [rule]) !== true;
    const found = (isCombination ? [null] : this.#slotsFor(rule, rule)).map((slot) => {
      const heard = slot === null ? certainly : this.#truth({ ...concerned, when: null }, slot);
      const { isTrue, isNotFalse } =
        slot === null
          ? this.#workspace.conditions.when(rule.when?.expression ?? null, null)
          : this.#truth(concerned, slot);
      return {
        isTrue: mayBe(isTrue),
        isFalse: mayBe(formulas.and([heard.isTrue, formulas.not(isNotFalse)])),
        isUndecided: mayBe(formulas.and([isNotFalse, formulas.not(isTrue)])),
      };
    });
    const any = (key: 'isTrue' | 'isFalse' | 'isUndecided') => found.some((each) => each[key]);
    return { isTrue: any('isTrue'), isFalse: any('isFalse'), isUndecided: any('isUndecided') };
  }

  #match(match: Match): ThreeValued {
    return this.#workspace.conditions.match(match, openSlot('any'));
  }

  #truth(rule: AnalysedRule, slot: Slot): ThreeValued {
    return ruleTruth(rule, slot, { slots: { call: [slot], history: [] }, workspace: this.#workspace });
  }

  #claimsOf(rule: AnalysedRule, slot: Slot): Claims {
    const bySlot = remembered(this.#claims, rule, () => new Map());
    return remembered(bySlot, slot.name, () => {
      const truth = this.#truth(rule, slot);
      const covers = this.#workspace.atoms.formulas.and([truth.isTrue, isOwn(rule.rule, this.#workspace)]);
      return { ...truth, covers };
    });
  }

  #isImpossible(formula: FormulaId, rules: readonly AnalysedRule[]): boolean | null {
    const { isPossible } = this.#find(formula, rules);
    return isPossible === null ? null : !isPossible;
  }

  #find(formula: FormulaId, rules: readonly AnalysedRule[]): Answer {
    return remembered(this.#answers, formula, () => this.#explore(formula, rules));
  }

  #explore(formula: FormulaId, rules: readonly AnalysedRule[]): Answer {
    if (formula === falsehood || formula === truth) return { isPossible: formula === truth, shown: nothing };
    const guess = likelyCall(formula, this.#workspace.atoms);
    if (isTrueAt(formula, guess, this.#workspace.atoms) === true) return { isPossible: true, shown: guess };
    if (this.#workspace.work.isDone || this.#isTooLong(formula)) return { isPossible: null, shown: nothing };
    const extent = {
      worker: 'main',
      get tools() {
        return toolClasses([{ policy: { ...builtIn, rules: [] }, rules }]);
      },
    };
    const { findings, tooMuch, variables } = possibilitiesOf(formula, { workspace: this.#workspace, extent });
    const certain = findings.find(({ isPossible }) => !isPossible);
    if (certain !== undefined) {
      const shown = certain.assignment.map(([variable, value]) => [variableKey(variable), value] as const);
      return { isPossible: true, shown: new Map(shown) };
    }
    const isOpen = findings.length > 0 || tooMuch !== null || variables.some(({ gap }) => gap !== null);
    return { isPossible: isOpen ? null : false, shown: nothing };
  }

  #isTooLong(formula: FormulaId): boolean {
    const { atoms } = this.#workspace;
    const cuts = atoms.formulas.atomsOf(formula).flatMap((id) => atoms.get(id).cuts);
    if (cuts.length > mostCuts) return true;
    const globs = cuts.flatMap((cut) => (cut.cut === 'text' && cut.of.text === 'globs' ? cut.of.globs : []));
    const texts = globs.map(({ text }) => text).join('');
    return texts.length > longestGlobs || texts.split(/[*?]+/).length > mostWildcards;
  }

  /** One slot for each name below the inner rule that a rule mentions, and one for all others. */
  #slotsFor(inner: AnalysedRule, outer: AnalysedRule): readonly Slot[] {
    const { rule } = inner;
    if (rule.about !== 'capability') return [openSlot('tool.call')];
    const ofOuter = namesIn(outer).filter((name) => isWithin(name, rule.name));
    const known = ofOuter.length === 0 ? this.#slots.get(inner) : undefined;
    if (known !== undefined) return known;
    const mentioned = [...new Set([...namesIn(inner), ...ofOuter])];
    const below = mentioned.filter((name) => name !== rule.name && isWithin(name, rule.name));
    const other = firstFree(
      (suffix) => `${rule.name}.${suffix}`,
      (candidate) => mentioned.some((name) => isWithin(name, candidate)),
    );
    const slots = [
      openSlot(rule.name),
      ...below.map((name) => openSlot(name)),
      openSlot(other, 0, true),
    ].filter(({ name }) => isAboutName(rule, name));
    if (ofOuter.length === 0) this.#slots.set(inner, slots);
    return slots;
  }
}

function namesIn({ when }: AnalysedRule): readonly string[] {
  return when === null ? [] : textsIn(when.expression).filter(isCapabilityName);
}

/** Where a rule applies, and where it also replaces the default. */
interface Claims extends ThreeValued {
  readonly covers: FormulaId;
}

function isNameWithin(inner: Rule, outer: Rule): boolean {
  if (inner.about === 'combination' || outer.about === 'combination') return false;
  return inner.about === outer.about && (inner.about === 'tool' || isWithin(inner.name, outer.name));
}

function exceeds(one: ThreeValued, other: ThreeValued, formulas: Formulas): FormulaId {
  return formulas.or([
    formulas.and([one.isTrue, formulas.not(other.isTrue)]),
    formulas.and([one.isNotFalse, formulas.not(other.isNotFalse)]),
  ]);
}
