import type { Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { cut, oneLine, words } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';

/** An output of a model that ends in one passage, repeated without anything in between. */
export interface RepeatedText {
  step: Step;
  passage: string;
  /** Whole repetitions at the end of the output. */
  times: number;
  /** Whether no later step of the run has an output. */
  isEnd: boolean;
}

/** Only the end of an output is read: a model that repeats itself does not stop by itself. */
const READ_CHARACTERS = 12_000;
const MIN_REPEATED_CHARACTERS = 600;
const MIN_TIMES = 6;
/** Shorter passages, and passages of numbers and marks, are rows of a table, a list of values, or a drawing. */
const MIN_PASSAGE_CHARACTERS = 24;
const MIN_PASSAGE_WORDS = 4;
/** The end of the text by which a possible repetition is found. */
const CUE_CHARACTERS = 40;

/**
 * Outputs of models that end in a repeated passage, for each agent the longest. The last repetition may be cut off, as by
 * a limit of tokens. Code and data can repeat a line: outputs that end in code or JSON are not read.
 */
export function findRepeatedTexts({ steps }: Trace): RepeatedText[] {
  const found = steps.flatMap((step): RepeatedText[] => {
    const passage = step.kind === 'llm' ? repeatedPassage(step.output) : null;
    if (passage === null) return [];
    return [{ step, ...passage, isEnd: !steps.some(({ index, output }) => index > step.index && output !== '') }];
  });
  const byAgent = Map.groupBy(found, ({ step }) => step.agent ?? step.name);
  return [...byAgent.values()].map((own) => own.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a)));
}

function sizeOf({ passage, times }: RepeatedText): number {
  return passage.length * times;
}

/** The passage that a text repeats at its end, or null. */
export function repeatedPassage(text: string): Pick<RepeatedText, 'passage' | 'times'> | null {
  const end = text.slice(-READ_CHARACTERS).trimEnd();
  if (end.length < MIN_REPEATED_CHARACTERS) return null;
  const cue = end.slice(-CUE_CHARACTERS);
  const before = end.lastIndexOf(cue, end.length - CUE_CHARACTERS - 1);
  const period = before === -1 ? 0 : end.length - CUE_CHARACTERS - before;
  if (period < MIN_PASSAGE_CHARACTERS || isData(text)) return null;
  const repeated = repeatedLength(end, period);
  const times = Math.floor(repeated / period);
  if (times < MIN_TIMES || repeated < MIN_REPEATED_CHARACTERS) return null;
  const passage = fromSentenceStart(end.slice(-period));
  return hasWords(passage) ? { passage, times } : null;
}

/** Number of characters at the end of a text in which each character equals the one a period before it. */
function repeatedLength(text: string, period: number): number {
  let at = text.length - 1;
  while (at >= period && text[at] === text[at - period]) at -= 1;
  return text.length - 1 - at + period;
}

/** The passage, rotated so that it begins with a line or sentence. */
function fromSentenceStart(passage: string): string {
  const start = /\n\s{0,8}(?=\S)|[.!?。！？]\s{1,4}(?=\S)/u.exec(passage);
  const at = start === null ? 0 : start.index + start[0].length;
  return (passage.slice(at) + passage.slice(0, at)).trim();
}

/** Words of at least two letters; scripts without spaces count by their characters. */
function hasWords(passage: string): boolean {
  const found = new Set(words(passage).filter((word) => /\p{L}{2}/u.test(word)));
  return (
    found.size >= MIN_PASSAGE_WORDS || (passage.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0) >= 8
  );
}

/** Whether a text ends within a code block or is JSON: test data and tables in code repeat lines. */
function isData(text: string): boolean {
  const fences = text.split('```').length - 1;
  return fences % 2 === 1 || /^\s{0,8}[[{]/.test(text);
}

const QUOTE_CHARACTERS = 160;

export function repeatedTextDetection(
  trace: Trace,
  { step, passage, times, isEnd }: RepeatedText,
  { models }: DetectorOptions,
): DetectionDraft<'repeated_text'> {
  const name = step.agent ?? step.name;
  const quote = cut(oneLine(passage), QUOTE_CHARACTERS);
  const isCutOff = step.finishReasons.some((reason) => /length|max_tokens/i.test(reason));
  const limit = isCutOff ? ' The output ended at the limit of tokens.' : '';
  const end = isEnd ? ' Nothing follows it in the run: there is no answer and no further call.' : '';
  return {
    subtype: 'repeated_text',
    score: isEnd ? 0.94 : 0.72,
    step: step.index,
    steps: [step.index],
    agent: step.agent,
    explanation: `The output of ${name} at step ${step.index} ends in one passage that it repeats ${times} times without anything in between: "${quote}".${limit}${end}`,
    suggestedAction: `Stop such an output: end the model call at the second repetition of a passage, and request the answer of ${name} again with a shorter input. A penalty on repetition (\`frequency_penalty\`) and a limit of output tokens make it rarer and cheaper.`,
    evidence: [{ kind: 'message', spanId: step.spanId, path: 'output', quote: cut(passage, 280), value: null }],
    ...wasteOf(trace, [step.index], models),
    fixes: [
      checkFix('config_change', {
        title: `Limit what ${name} can repeat in one output`,
        target: `model settings of ${name}`,
        description: `Set a limit of output tokens for ${name}, and a penalty on repetition if its provider has one. Read the output while it is streamed, and end the call at the second repetition of a passage.`,
        after: 'max output tokens: twice the longest useful answer; frequency_penalty: 0.3',
        why: `The output repeats one passage ${times} times.`,
      }),
    ],
    key: `${name} text`,
  };
}
