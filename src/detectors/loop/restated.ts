import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { lazy } from '../_kit/memoize.ts';
import { counted, cut, oneLine, stepsText, textKey, wordOverlap, words } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { isUserTurn } from '../_readings/repeats/actors.ts';

import { comparedUses } from '../_readings/repeats/compared-uses.ts';
import { newTurnsInHistories } from '../_readings/repeats/turns.ts';
import { trigramKey } from '../_readings/support/source-index.ts';
import { loopGuard, preventDuplicateSend } from './fixes.ts';
import {
  endsOnRejection,
  lastMessageText,
  type RejectedRounds,
  rejectedRounds,
  rejectedRoundsAdvice,
  rejectedRoundsText,
} from './rejected-rounds.ts';

/** Shorter answers ("approved, go on") recur in healthy runs, unless the input is also the same. */
const MIN_WORDS = 20;
/** A shorter text (`yes`, `A`) is one of a few choices. */
const MIN_CHARACTERS = 20;
const MAX_WORDS_COMPARED = 3_000;
/** Minimum share of three-word sequences that two answers have in common. */
const MIN_OVERLAP = 0.8;

/**
 * Consecutive answers of one agent's model without new information, while no call returned a new result and the user wrote
 * nothing new: nearly the same text, compared by word sequences, or the same short text for exactly the same input. For
 * each agent the longest series. Texts that accompany a call are left to the rules for calls.
 */
export function findRestated(trace: Trace, minAnswers: number): Step[][] {
  const answers = trace.steps.filter((step) => isAnswer(trace, step));
  const byActor = [...Map.groupBy(answers, actorOf).values()].filter((own) => own.length >= minAnswers);
  if (byActor.length === 0) return [];
  const newInputs = newInputSteps(trace);
  const series = byActor
    .flatMap((own) => chains(own, newInputs))
    .filter((chain) => chain.length >= (isLong(chain[0]!) ? minAnswers : minAnswers + 1))
    .filter((chain) => !areSamples(trace, chain));
  const byAgent = Map.groupBy(series, ([first]) => first!.agent ?? first!.name);
  return [...byAgent.values()].map((own) => own.reduce((a, b) => (b.length > a.length ? b : a)));
}

function isAnswer({ steps }: Trace, step: Step): boolean {
  const { kind, output, outputMessages, index } = step;
  if (kind !== 'llm' || outputMessages.some(({ toolCalls }) => toolCalls.length > 0)) return false;
  if (steps[index + 1]?.kind === 'tool' || output.length < MIN_CHARACTERS) return false;
  return isLong(step) || step.input !== '' || step.inputMessages.length > 0;
}

function isLong({ output }: Step): boolean {
  return output.length > 2 * MIN_WORDS && (hasWords(output.slice(0, START_CHARACTERS)) || hasWords(output));
}

/** The start of a long text usually has enough words. */
const START_CHARACTERS = 500;

function hasWords(text: string): boolean {
  return words(text).length >= MIN_WORDS;
}

function inputOf({ input, inputMessages }: Step): string {
  return input !== '' ? input : inputMessages.map(({ role, content }) => `${role} ${content}`).join('\n');
}

/** The answering agent and the question: equal answers to different questions are not a repetition. */
function actorOf({ agent, name, inputMessages }: Step): string {
  const request = inputMessages.findLast(({ role }) => role === 'user')?.content ?? '';
  return `${agent ?? name} ${request}`;
}

/** Ascending steps with a new result or a new user message. */
function newInputSteps(trace: Trace): number[] {
  const known = new Set<string>();
  const isNew = (key: string) => !known.has(key) && known.add(key);
  const results = comparedUses(trace)
    .filter(({ name, argumentsText, resultHash }) => isNew(`${name} ${resultHash} ${textKey(argumentsText)}`))
    .map(({ step }) => step);
  const request = trace.steps.filter((step) => isUserTurn(step) && isNew(`user ${step.output}`));
  return [...results, ...request.map(({ index }) => index), ...newTurnsInHistories(trace)].sort((a, b) => a - b);
}

function chains(own: readonly Step[], newInputs: readonly number[]): Step[][] {
  const found: Step[][] = [];
  let chain: Step[] = [];
  const numbers = new Map<string, number>();
  let before = lazy(() => readAnswer('', numbers));
  let passed = 0;
  for (const step of own) {
    // Most answers follow new information and are not compared.
    const answer = lazy(() => readAnswer(step.output, numbers));
    const last = chain.at(-1);
    while (passed < newInputs.length && newInputs[passed]! <= (last?.index ?? -1)) passed += 1;
    const hasNewInput = passed < newInputs.length && newInputs[passed]! < step.index;
    const isContinuation =
      last !== undefined &&
      !hasNewInput &&
      follows(last, step) &&
      (isSameCall(last, step) || isNear(before(), answer()));
    if (!isContinuation) {
      chain = [];
      found.push(chain);
    }
    chain.push(step);
    before = answer;
  }
  return found;
}

/** Whether one call follows the other. Parallel model calls are not a repetition. */
function follows({ endMs }: Step, { startMs }: Step): boolean {
  return endMs === null || startMs === null || startMs >= endMs;
}

function isSameCall(one: Step, other: Step): boolean {
  return one.output === other.output && isSameInput(one, other);
}

/** A history that grew is another input: its last message can be the same. */
function isSameInput(one: Step, other: Step): boolean {
  const messages = other.inputMessages;
  if (one.inputMessages.length !== messages.length) return false;
  if (messages.length === 0) return one.input === other.input;
  return one.inputMessages.every(
    ({ role, content }, at) => role === messages[at]!.role && content === messages[at]!.content,
  );
}

/** The words of an answer. */
interface AnswerWords {
  all: readonly string[];
  distinct: ReadonlySet<string>;
  /** The sequences of three words. */
  sequences: () => ReadonlySet<number>;
}

/** `numbers` has a number for each word and is extended. */
function readAnswer(text: string, numbers: Map<string, number>): AnswerWords {
  const all = words(text).slice(0, MAX_WORDS_COMPARED);
  return { all, distinct: new Set(all), sequences: lazy(() => sequencesOf(all, numbers)) };
}

/** Whether two texts are nearly equal. Texts too short for sequences are compared as a whole. */
function isNear(one: AnswerWords, other: AnswerWords): boolean {
  return (
    mayBeNear(one, other) &&
    one.sequences().size >= MIN_WORDS - 2 &&
    wordOverlap(one.sequences(), other.sequences()) >= MIN_OVERLAP
  );
}

/** The last two words of each text begin no sequence. */
const WORDS_WITHOUT_SEQUENCE = 4;

/**
 * False if two texts have too many different words for `MIN_OVERLAP`, which is much faster than comparing sequences: a word
 * that only one text contains begins a sequence that only this text contains.
 */
function mayBeNear(one: AnswerWords, other: AnswerWords): boolean {
  const limit = Math.ceil(((one.all.length + other.all.length) * (1 - MIN_OVERLAP)) / (1 + MIN_OVERLAP));
  let different = -WORDS_WITHOUT_SEQUENCE;
  for (const word of one.distinct) if (!other.distinct.has(word)) different += 1;
  for (const word of other.distinct) if (!one.distinct.has(word)) different += 1;
  return different <= limit;
}

function sequencesOf(all: readonly string[], numbers: Map<string, number>): ReadonlySet<number> {
  for (const word of all) if (!numbers.has(word)) numbers.set(word, numbers.size);
  const own = all.map((word) => numbers.get(word)!);
  return new Set(own.slice(2).map((number, at) => trigramKey(own[at]!, own[at + 1]!, number)));
}

/** How a step that decides between samples is named or asked. */
const VOTE =
  /(?<!\p{L})(?:vot(?:e|es|er|ing)|majority|consensus|self[- _]?consistency|ensemble|aggregat(?:e|or|ion)|tally|mehrheit|abstimmung|stimmen|majorité|mayoría|maggioranza|maioria|большинств\p{L}{1,3})(?!\p{L})|多数|投票|다수결/iu;
const MIN_SAMPLES = 3;

/**
 * Whether the answers are samples: one input is given several times without the earlier answers, nothing else happens in
 * between, and then another step gets the answers or votes on them.
 */
export function areSamples({ steps }: Trace, chain: readonly Step[]): boolean {
  const [first] = chain as [Step];
  const input = inputOf(first);
  const last = chain.at(-1)!;
  if (chain.length < MIN_SAMPLES || input === '' || chain.some((step) => inputOf(step) !== input)) return false;
  const isOther = (one: Step) => one.kind !== 'agent' && one.kind !== 'chain' && one.agent !== first.agent;
  if (steps.slice(first.index, last.index).some(isOther)) return false;
  const next = steps.slice(last.index + 1).find((one) => isOther(one) && (one.kind !== 'message' || one.output !== ''));
  if (next === undefined) return false;
  const asked = oneLine(`${next.name} ${next.agent ?? ''} ${inputOf(next)}`);
  return VOTE.test(asked.replaceAll('_', ' ')) || occurrences(asked, oneLine(first.output)) >= 2;
}

function occurrences(text: string, part: string): number {
  return text.split(part.slice(0, SOURCE_CHARACTERS)).length - 1;
}

/** A shorter text of another agent ("go on") is not work. */
const MIN_WORK_WORDS = 6;

/** Whether another agent gave a new answer of its own between all of these answers. */
function hasOtherWork(trace: Trace, chain: readonly Step[]): boolean {
  const known = new Set<string>();
  return chain.slice(1).every((step, at) => {
    const between = trace.steps.slice(chain[at]!.index + 1, step.index);
    const newAnswers = between.filter(
      (one) =>
        one.agent !== step.agent &&
        one.kind === 'llm' &&
        words(one.output).length >= MIN_WORK_WORDS &&
        !known.has(textKey(one.output)),
    );
    for (const { output } of newAnswers) known.add(textKey(output));
    return newAnswers.length > 0;
  });
}

/**
 * Whether other agents spoke between all of these answers, and one of them gave a new answer after the last: a discussion
 * with a fixed number of rounds whose outcome is decided later.
 */
function isDecidedLater({ steps }: Trace, chain: readonly Step[]): boolean {
  const isByOther = ({ kind, agent }: Step) => kind === 'llm' && agent !== chain[0]!.agent;
  const hasTurns = chain
    .slice(1)
    .every(({ index }, at) => steps.slice(chain[at]!.index + 1, index).some((one) => isByOther(one)));
  const last = chain.at(-1)!.index;
  const known = new Set(steps.slice(0, last).map(({ output }) => textKey(output)));
  return (
    hasTurns &&
    steps.some(
      (one) =>
        one.index > last &&
        isByOther(one) &&
        words(one.output).length >= MIN_WORK_WORDS &&
        !known.has(textKey(one.output)),
    )
  );
}

/** A run that ends on a rejection has no accepted answer. Another series may only have cost time. */
const LOST_SCORE = 0.9;
const MAX_SCORE = 0.85;
const REJECTED_AT_END = 'The last answer of the run was rejected: the task is not done.';

function roundsText({ replies }: RejectedRounds): string {
  return `${replies.length} rounds of model calls ended with the same message.`;
}

export function restatedDetection(
  trace: Trace,
  chain: readonly Step[],
  { models, thresholds }: DetectorOptions,
): DetectionDraft<'restated'> {
  const [first, second] = chain as [Step, Step];
  const name = first.agent ?? first.name;
  const steps = chain.map(({ index }) => index);
  const isEqual = chain.every(({ output }) => output === first.output);
  const isSameInput = inputOf(first) !== '' && chain.every((step) => inputOf(step) === inputOf(first));
  const source = isSameInput ? sourceOf(trace, first) : null;
  const rounds = rejectedRounds(trace, chain);
  const isLost = rounds !== null && hasKnownEnd(trace) && endsOnRejection(trace, rounds);
  const begin = rounds === null ? source : (sourceOf(trace, rounds.begin) ?? rounds.begin);
  const repeated = { trace, agent: first.agent, what: 'the same answer', times: chain.length };
  const series = `${name} gave ${isEqual ? 'the same' : 'nearly the same'} answer ${counted(chain.length, 'time')}${isSameInput ? ' to the same input' : ''} (${stepsText(steps)}): "${cut(oneLine(first.output), 100)}". In between no call returned anything new and the user said nothing new.${source === null ? '' : ` The input contains the answer of ${source.agent} at step ${source.index}.`}`;
  return {
    subtype: 'restated',
    // Routes, plans and positions in a debate stay the same while other agents work, or until one of them decides: info.
    score:
      hasOtherWork(trace, chain) || isDecidedLater(trace, chain)
        ? 0.5
        : isLost
          ? LOST_SCORE
          : Math.min(MAX_SCORE, 0.68 + 0.06 * (chain.length - 1 - thresholds.minMatchesForLoop)),
    step: begin?.index ?? second.index,
    steps: [
      ...new Set([...[begin, source, ...(rounds?.replies ?? [])].flatMap((step) => step?.index ?? []), ...steps]),
    ].sort((a, b) => a - b),
    agent: begin === null ? first.agent : begin.agent,
    explanation:
      rounds === null
        ? series
        : `${rejectedRoundsText(rounds, name)} ${series}${lastMessageText(trace, rounds.replies)}`,
    ...(rounds === null ? {} : { businessImpact: `${roundsText(rounds)}${isLost ? ` ${REJECTED_AT_END}` : ''}` }),
    suggestedAction:
      rounds === null
        ? adviceFor(name, chain, source, isSameInput)
        : rejectedRoundsAdvice(rounds, name, cut(oneLine(first.output), 80), source?.agent ?? name),
    evidence: chain.slice(0, 4).map(({ spanId, output }) => ({
      kind: 'message',
      spanId,
      path: 'output',
      quote: cut(output, 280),
      value: null,
    })),
    ...wasteOf(trace, steps.slice(1), models),
    fixes: [loopGuard(repeated), preventDuplicateSend(repeated)],
    key: `${name} answer`,
  };
}

const MIN_SOURCE = 20;
const SOURCE_CHARACTERS = 80;

/** The answer of another agent that this input contains. */
function sourceOf(trace: Trace, step: Step): Step | null {
  const input = oneLine(inputOf(step));
  const isEarlierAnswer = ({ index, kind, agent, output }: Step) =>
    index < step.index && kind === 'llm' && agent !== null && agent !== step.agent && output.length >= MIN_SOURCE;
  return (
    trace.steps.findLast(
      (one) => isEarlierAnswer(one) && input.includes(oneLine(one.output).slice(0, SOURCE_CHARACTERS)),
    ) ?? null
  );
}

function adviceFor(name: string, chain: readonly Step[], source: Step | null, isSameInput: boolean): string {
  const [first, second] = chain as [Step, Step];
  const answer = cut(oneLine(first.output), 80);
  if (source !== null)
    return `Send the answer of step ${source.index} back to ${source.agent} with the answer of ${name} ("${answer}"), instead of asking ${name} again with the same input.`;
  if (isSameInput)
    return `Do not call ${name} again with the input of step ${first.index}: change that input, or take "${answer}" as its answer.`;
  return `Do not call ${name} again at step ${second.index} before something has changed since step ${first.index}: take its answer as final, or add what it lacks to its input.`;
}
