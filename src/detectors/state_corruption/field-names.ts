import { nameWords } from './field.ts';

/** Fields that a healthy run clears or removes: control flow, scratch space, errors, current work. */
const EPHEMERAL = new Set(
  (
    'next pending tmp temp temporary scratch scratchpad error errors exception err interrupt interrupts current active ' +
    'selected cursor lock draft partial buffer queue todo remaining_steps deferred awaiting waiting retry goto ' +
    'feedback pendingaction cache cached debug last warning warnings question clarification approval token'
  ).split(' '),
);

const COUNTERS = new Set(
  (
    'step steps iteration iterations iter count counter total version seq sequence revision turn turns round rounds ' +
    'visits visit processed completed index generation epoch tick offset'
  ).split(' '),
);
/** Counters that a success or a new phase resets. */
const RESETTABLE = new Set(
  'retry retries attempt attempts failures failure errors error streak consecutive idle'.split(' '),
);
/** Names of values that may decrease: never counters. */
const FALLING = new Set('remaining left budget balance stock inventory pending open countdown ttl'.split(' '));
/** Counters that even a new phase does not reset. */
const PERMANENT = new Set('total version seq sequence revision generation processed completed'.split(' '));

const PROBABILITY = new Set('probability prob confidence likelihood certainty'.split(' '));
const UNIT_SCORES = new Set('score relevance similarity accuracy precision recall'.split(' '));
const PERCENT = new Set('percent pct percentage progress'.split(' '));
const COUNTABLE = new Set(
  'count quantity qty num number items length size stock inventory attempts retries age visits'.split(' '),
);
const MONEY = new Set('price total subtotal amount cost fee'.split(' '));
/** Words that make a negative or large number ordinary. */
const SIGNED = new Set(
  (
    'delta change diff difference balance adjustment offset net profit loss gain growth return refund credit discount ' +
    'log logprob temperature latitude longitude lat lng trend variance deviation margin'
  ).split(' '),
);
const APPEND_ONLY = new Set('messages history log logs events trajectory transcript conversation visited'.split(' '));
/** Generic names that each node may use with another type. */
const GENERIC = new Set(
  'output outputs result results data value values response content input inputs payload text answer body'.split(' '),
);

export type BoundKind = 'probability' | 'unit_score' | 'percent' | 'countable' | 'money';

const hasWord = (path: string, words: ReadonlySet<string>) => nameWords(path).some((word) => words.has(word));

export const isEphemeral = (path: string) =>
  path.split('.').some((part) => part.startsWith('_') || hasWord(part, EPHEMERAL));
export const isCounter = (path: string) => hasWord(path, COUNTERS) && !hasWord(path, FALLING);
export const isResettable = (path: string) => hasWord(path, RESETTABLE);
export const isPermanentCounter = (path: string) => hasWord(path, PERMANENT);
export const mayDecrease = (path: string) => hasWord(path, FALLING) || hasWord(path, SIGNED);
export const isAppendOnly = (path: string) => APPEND_ONLY.has(nameWords(path).at(-1) ?? '');
export const isGeneric = (path: string) => GENERIC.has(nameWords(path).at(-1) ?? '');

/** The range that the name of a number suggests; null if it suggests none. */
export function boundKind(path: string): BoundKind | null {
  if (hasWord(path, SIGNED)) return null;
  if (hasWord(path, PERCENT)) return 'percent';
  if (hasWord(path, PROBABILITY)) return 'probability';
  if (hasWord(path, UNIT_SCORES)) return 'unit_score';
  if (hasWord(path, COUNTABLE)) return 'countable';
  return hasWord(path, MONEY) ? 'money' : null;
}
