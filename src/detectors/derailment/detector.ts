import type { Evidence } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { yesSupports } from '../_kit/question.ts';
import { cut, withoutFences, words } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { languageOf } from '../_readings/conduct/language.ts';
import { ruleFix } from '../_readings/conduct/remedy.ts';
import { derailmentManifest } from './manifest.ts';
import { derailmentQuestions } from './questions.ts';

type DerailmentKind = 'unrelated_answer';

export const derailment = defineDetector({
  ...derailmentManifest,
  questions: derailmentQuestions,
  conclude: yesSupports,
  detect(trace, _options, report) {
    const unrelated = unrelatedAnswer(trace);
    if (unrelated !== null) report(unrelatedDetection(trace, unrelated));
  },
});

function unrelatedDetection(trace: Trace, { answer, task }: Unrelated): DetectionDraft<DerailmentKind> {
  const name = answer.agent ?? trace.steps[answer.step]!.name;
  return {
    subtype: 'unrelated_answer',
    score: 0.6,
    step: answer.step,
    steps: [answer.step],
    agent: answer.agent,
    explanation: `The answer of ${name} at step ${answer.step} shares no content word with the task ("${cut(task.replace(/\s+/g, ' '), 100)}"), with any later message of the user, or with any tool result: "${cut(answer.text.replace(/\s+/g, ' '), 100)}"`,
    suggestedAction: `Look for the step from which ${name} worked on something else, and restate the task there.`,
    evidence: [quoteOf(trace, answer.step, answer.text)],
    fixes: [
      ruleFix(trace, answer.agent, {
        title: 'Return to the task before answering',
        rule: 'Before you answer, read the task again and check that the answer is about it.',
        why: 'No part of the answer refers to the request.',
      }),
    ],
    key: name,
  };
}

function quoteOf(trace: Trace, step: number, text: string): Evidence {
  const { spanId, output } = trace.steps[step]!;
  const path = output === '' && trace.states.some((snapshot) => snapshot.step === step) ? 'state' : 'output';
  return { kind: 'text', spanId, path, quote: cut(text, 280), value: null };
}

interface Unrelated {
  answer: ConversationTurn;
  task: string;
}

/** Shorter answers ("42", "Done.") need not share a word with the task. */
const MIN_WORDS = 8;
/** Share of the answer's character 4-grams that occur in task and results; about a fifth for unrelated English texts. */
const MAX_GRAM_SHARE = 0.25;

function unrelatedAnswer(trace: Trace): Unrelated | null {
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0 || trace.status === 'error') return null;
  const prose = withoutFences(answer.text);
  const answerWords = contentWords(prose);
  if (answerWords.size < MIN_WORDS || /[?？]\s{0,3}$/.test(prose.trim())) return null;
  const task = [trace.task ?? '', ...requestTexts(trace)].join('\n');
  if (containsOneOf(task, answerWords) || contentWords(task).size < 3) return null;
  const language = languageOf(prose);
  if (language === null || language !== (languageOf(task) ?? language) || REFUSES.test(prose)) return null;
  const found = resultsOf(trace, answer);
  if (found.some((text) => containsOneOf(text, answerWords))) return null;
  return gramShare(prose, `${task}\n${found.join('\n')}`) > MAX_GRAM_SHARE ? null : { answer, task };
}

const REFUSES = /\b(?:sorry|can[’']t|cannot|unable|apologi[sz]e|as an ai|leider|désolé|lo siento)\b|抱歉|申し訳/i;

function requestTexts(trace: Trace): string[] {
  return conversation(trace)
    .filter(({ by }) => by === 'user' || by === 'system')
    .map(({ text }) => text.slice(0, 20_000));
}

/** Earlier results and messages: an answer that uses them is on topic even if its words are not in the task. */
function resultsOf(trace: Trace, answer: ConversationTurn): string[] {
  const results = toolUses(trace).map(
    ({ resultText, argumentsText }) => `${argumentsText} ${resultText.slice(0, 20_000)}`,
  );
  const messages = conversation(trace)
    .filter(({ step }) => step < answer.step)
    .map(({ text }) => text.slice(0, 20_000));
  const documents = trace.steps.flatMap((step) => step.documents.map(({ content }) => content.slice(0, 20_000)));
  let left = MAX_CHARACTERS;
  return [...results, ...messages, ...documents].flatMap((text) => {
    const part = left > 0 ? [text.slice(0, left)] : [];
    left -= text.length + 1;
    return part;
  });
}

const MAX_CHARACTERS = 2_000_000;

/** Number of characters to read at a time: most texts share a word with the answer early. */
const READ_AT_ONCE = 1000;

/** Whether the text contains one of these content words. */
function containsOneOf(text: string, terms: ReadonlySet<string>): boolean {
  for (let start = 0; start < text.length; ) {
    const blank = text.indexOf(' ', start + READ_AT_ONCE);
    const end = blank === -1 ? text.length : blank;
    for (const word of contentWords(text.slice(start, end))) if (terms.has(word)) return true;
    start = end + 1;
  }
  return false;
}

/** Stems of content words: the first five letters of every word longer than four, and pairs of Han characters. */
function contentWords(text: string): Set<string> {
  const stems = words(text)
    .filter((word) => word.length > 4)
    .map((word) => word.slice(0, 5));
  const han = text.match(/\p{Script=Han}{2}/gu) ?? [];
  return new Set([...stems.filter((stem) => !COMMON_STEMS.has(stem)), ...han]);
}

const COMMON_STEMS = new Set(
  'about there their which would could shoul these those where while after befor other under every being first also your with have from that this here also pleas thank answe quest let’s inclu using based follo'.split(
    ' ',
  ),
);

function gramShare(text: string, sources: string): number {
  const own = new Set(grams(text));
  const known = new Set(grams(sources.slice(0, 100_000)));
  let shared = 0;
  for (const gram of own) if (known.has(gram)) shared += 1;
  return own.size === 0 ? 1 : shared / own.size;
}

function grams(text: string): string[] {
  const plain = words(text).join(' ');
  return Array.from({ length: Math.max(0, plain.length - 3) }, (_, at) => plain.slice(at, at + 4));
}
