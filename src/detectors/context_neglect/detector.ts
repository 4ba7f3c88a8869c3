import type { Fix } from '../../core/detection.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { atSentenceStart, counted, cut, joined } from '../_kit/text.ts';
import { ruleFix } from '../_readings/conduct/remedy.ts';
import { findIgnoredCorrection, ignoredCorrectionDetection } from './ignored-correction.ts';
import { contextNeglectManifest } from './manifest.ts';
import { findOtherFile, otherFileDetection } from './other-file.ts';
import {
  findRepeatedInquiry,
  findRepeatedQuestion,
  type RepeatedInquiry,
  type RepeatedQuestion,
} from './repeated-questions.ts';
import { findRepeatedSetup, type RepeatedSetup } from './repeated-setup.ts';
import { findRestart, type Restart } from './restart.ts';
import { findSameQuestion, sameQuestionDetection } from './same-question.ts';
import { findSameReply, isNeglect, sameReplyDetection } from './same-reply.ts';
import { type UnusedValue, unusedValues } from './unused-values.ts';

type Subtype =
  | 'restart'
  | 'asked_again'
  | 'repeated_question'
  | 'unused_value'
  | 'other_file'
  | 'ignored_correction'
  | 'same_reply'
  | 'same_question';

export const contextNeglect = defineDetector({
  ...contextNeglectManifest,
  detect(trace, _options, report) {
    const restart = findRestart(trace);
    const setUp = restart === null ? findRepeatedSetup(trace) : null;
    if (restart !== null) report(restartDetection(trace, restart));
    if (setUp !== null) report(repeatedSetupDetection(trace, setUp));
    for (const repeated of findRepeatedInquiry(trace)) report(repeatedInquiryDetection(repeated));
    const repeated = findRepeatedQuestion(trace);
    if (repeated !== null) report(repeatedQuestionDetection(repeated));
    const unused = unusedValues(trace);
    if (unused.length > 0) report(unusedValueDetection(trace, unused));
    const other = findOtherFile(trace);
    if (other !== null) report(otherFileDetection(trace, other));
    const same = findSameReply(trace);
    const isIgnored = same !== null && isNeglect(same);
    if (isIgnored) report(sameReplyDetection(trace, same));
    const ignored = isIgnored ? null : findIgnoredCorrection(trace);
    if (ignored !== null) report(ignoredCorrectionDetection(trace, ignored));
    const question = isIgnored ? null : findSameQuestion(trace);
    if (question !== null) report(sameQuestionDetection(trace, question));
  },
});

function actor({ agent, name }: Step): string {
  return agent ?? name;
}

function outputEvidence(step: Step, quote: string) {
  const path = step.output.includes(quote.replace(/…$/, '')) ? 'output' : 'input_messages';
  return { kind: 'text', spanId: step.spanId, path, quote, value: null };
}

/** A user message may be recorded with the model call that asks the question. */
function placeOf(step: Step, asking: Step): string {
  return step === asking ? 'in the messages sent with that call' : `at step ${step.index}`;
}

function tokensBetween({ steps }: Trace, first: Step, second: Step): number {
  return steps.slice(first.index, second.index).reduce((sum, { tokens }) => sum + (tokens.total ?? 0), 0);
}

/** The set-up line of a log is a fact; that the work was lost is less certain. */
const SET_UP_SCORE = 0.64;

function repeatedSetupDetection(
  trace: Trace,
  { first, second, turnsBefore, next }: RepeatedSetup,
): DetectionDraft<Subtype> {
  return {
    subtype: 'restart',
    score: SET_UP_SCORE,
    step: second.index,
    steps: [second.index, first.index],
    agent: next.agent,
    explanation: `The run was set up at step ${first.index} ("${cut(first.output, 80)}") and again, with the same line, at step ${second.index}, after ${counted(turnsBefore, 'turn')} of its agents; ${actor(next)} continued from there.`,
    suggestedAction: 'Find out what restarted the run, and resume it from the saved state.',
    evidence: [outputEvidence(second, cut(second.output, 200)), outputEvidence(first, cut(first.output, 200))],
    wastedTokens: tokensBetween(trace, first, second),
    fixes: [
      memoryFix(
        'the run',
        'continue from a saved state',
        `Save the state after each turn, and at start-up load it instead of letting ${actor(next)} start over.`,
      ),
    ],
    key: 'set-up',
  };
}

/** A repeated opening alone may be an updated plan: only info. */
const OPENING_SCORE = 0.3;
const REPEATED_SCORE = 0.68;

function restartDetection(trace: Trace, { first, second, overlap, repeated }: Restart): DetectionDraft<Subtype> {
  const between = counted(second.index - first.index - 1, 'step');
  const work =
    repeated === null
      ? ''
      : ` What followed at step ${repeated.index} repeats what had followed the first opening, so work was done again.`;
  return {
    subtype: 'restart',
    score: repeated === null ? OPENING_SCORE : REPEATED_SCORE,
    step: second.index,
    steps: [second.index, first.index],
    explanation:
      `${actor(first)} opened the run at step ${first.index} and said nearly the same at step ${second.index}, ` +
      `${between} later (the two share ${Math.floor(overlap * 100)} % of their words).${work}`,
    suggestedAction: `Give ${actor(first)} the results so far in every turn, and find out what dropped them.`,
    evidence: [outputEvidence(second, cut(second.output, 200)), outputEvidence(first, cut(first.output, 200))],
    wastedTokens: tokensBetween(trace, first, second),
    fixes: [
      memoryFix(
        actor(first),
        'carry the results so far into each turn',
        'Keep a short list of what is done and found, and put it before the history whenever that is cut or rebuilt.',
      ),
    ],
    key: actor(first),
  };
}

function repeatedInquiryDetection({
  what,
  given,
  repeated,
  value,
  question,
}: RepeatedInquiry): DetectionDraft<Subtype> {
  return {
    subtype: 'asked_again',
    score: 0.62,
    step: repeated.index,
    steps: [repeated.index, given.index],
    explanation: `${actor(repeated)} asked for the ${what} at step ${repeated.index}, which the user had given ${placeOf(given, repeated)}.`,
    suggestedAction: `Let ${actor(repeated)} look through the conversation before it asks for a detail.`,
    evidence: [outputEvidence(repeated, question), outputEvidence(given, value)],
    fixes: [
      memoryFix(
        actor(repeated),
        `remember the ${what}`,
        `Keep details such as the ${what} in the agent's state as soon as the user gives them, and show them in its prompt.`,
      ),
    ],
    key: what,
  };
}

function repeatedQuestionDetection({ first, second, question }: RepeatedQuestion): DetectionDraft<Subtype> {
  return {
    subtype: 'repeated_question',
    score: 0.58,
    step: second.index,
    steps: [second.index, first.index],
    explanation: `${actor(second)} asked at step ${second.index} what it had asked ${placeOf(first, second)}, although the user had answered: "${cut(question, 160)}".`,
    suggestedAction: `Let ${actor(second)} use the answer of the user.`,
    evidence: [outputEvidence(second, question)],
    fixes: [
      memoryFix(
        actor(second),
        'use answers',
        'Tell the agent to note what each answer of the user settles, and to ask about what is still open only.',
      ),
    ],
    key: actor(second),
  };
}

/** One detection for all values: they have the same cause. */
function unusedValueDetection(trace: Trace, unused: readonly UnusedValue[]): DetectionDraft<Subtype> {
  const { answer, calls, givenAt } = unused[0]!;
  const step = trace.steps[answer.step]!;
  const who = answer.agent ?? step.name;
  const steps = [...new Set(unused.map((one) => one.givenAt))];
  const place = steps.includes(answer.step) ? `in the messages of step ${joined(steps)}` : `at step ${joined(steps)}`;
  const values = joined(unused.map(({ value }) => `"${cut(value, 80)}"`));
  const [it, they] = unused.length === 1 ? ['it', 'it is'] : ['them', 'they are'];
  const made =
    calls === 0
      ? 'made no call at all'
      : `made ${counted(calls, 'call')}, and ${calls === 1 ? 'its arguments and result do not contain' : 'none of their arguments and results contains'} ${it}`;
  return {
    subtype: 'unused_value',
    score: UNUSED_SCORE,
    step: answer.step,
    steps: [answer.step, ...steps.filter((one) => one !== answer.step)],
    agent: answer.agent,
    explanation: `The user gave ${values} ${place}. ${atSentenceStart(who)} gave its last answer at step ${answer.step} and ${made}.`,
    suggestedAction: `Have ${who} look up or pass on ${values}, or say in its answer why ${they} not needed.`,
    evidence: [
      ...unused.slice(0, 3).map(({ value, givenAt }) => ({
        kind: 'source',
        spanId: trace.steps[givenAt]!.spanId,
        path: trace.steps[givenAt]!.output.includes(value) ? 'output' : 'input_messages',
        quote: value,
        value: null,
      })),
      outputEvidence(step, cut(answer.text, 200)),
    ],
    fixes: [
      ruleFix(trace, answer.agent, {
        title: `Have ${who} use what the user gives`,
        rule: 'Before you answer, go through the addresses, numbers and documents that the user named: look each one up or pass it to the tool that needs it. If you cannot, say for which one and why.',
        why: `Nothing in the run used ${values}, which the user gave at step ${givenAt}.`,
      }),
    ],
    key: unused[0]!.value,
  };
}

/** That the value was needed is not in the trace: never critical. */
const UNUSED_SCORE = 0.66;

function memoryFix(agent: string, aim: string, description: string): Fix {
  return {
    fixType: 'context_management',
    title: `Let ${agent} ${aim}`,
    description,
    rationale: 'The information was part of the run, and the agent continued without it.',
    confidence: 0.5,
    risk: 'low',
    changes: [{ target: `context of ${agent}`, format: 'text', before: null, after: description }],
    isBreaking: false,
    requiresTesting: true,
  };
}
