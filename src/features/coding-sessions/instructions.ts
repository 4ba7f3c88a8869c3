import type { Trace } from '../../core/trace.ts';
import { corrections } from '../../detectors/_readings/coding/corrections.ts';
import { isDecided, refusals } from '../../detectors/_readings/coding/refusals.ts';
import { userPrompts } from '../../detectors/_readings/coding/user-prompts.ts';
import { shorten } from './shorten.ts';
import { contentWords, isSimilar } from './similarity.ts';

/** A user's correction of the agent. */
export interface Instruction {
  step: number;
  kind: 'correction' | 'refusal_reason';
  text: string;
}

const TEXT_CHARACTERS = 240;

/** Corrections and refusal reasons in order. A prompt that repeats the reason of a refusal counts once. */
export function correctingInstructions(trace: Trace): Instruction[] {
  const reasons = refusals(trace)
    .filter((refused) => isDecided(refused) && refused.by === 'user' && refused.reason !== null)
    .map(({ step, reason }): Instruction => ({ step, kind: 'refusal_reason', text: reason as string }));
  const corrected = corrections(trace).map(({ step, text }): Instruction => ({ step, kind: 'correction', text }));
  const all = [...reasons, ...corrected].sort((one, other) => one.step - other.step);
  const seen = new Set<string>();
  return all
    .map((each) => ({ ...each, text: shorten(each.text, TEXT_CHARACTERS) }))
    .filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text));
}

export interface LostInstruction {
  /** Step of the correction after the compaction. */
  step: number;
  /** Step of the compaction between the two. */
  compaction: number;
  text: string;
  /** The text before the compaction. */
  before: string;
}

/** Instructions from before a compaction that the user had to repeat after it. */
export function lostInstructions(trace: Trace): LostInstruction[] {
  const compactions = trace.steps.filter(({ compaction }) => compaction !== undefined).map(({ index }) => index);
  if (compactions.length === 0) return [];
  const corrected = correctingInstructions(trace);
  const sentences = [...userPrompts(trace).flatMap(sentencesOf), ...corrected].map((each) => ({
    ...each,
    words: contentWords(each.text),
  }));
  return corrected.flatMap(({ step, text }) => {
    const compaction = compactions.findLast((at) => at < step);
    if (compaction === undefined) return [];
    const words = contentWords(text);
    const before = sentences.find((earlier) => earlier.step < compaction && isSimilar(earlier.words, words));
    return before === undefined ? [] : [{ step, compaction, text, before: shorten(before.text, TEXT_CHARACTERS) }];
  });
}

const MAX_SENTENCES = 40;
const PROMPT_CHARACTERS = 8_000;

function sentencesOf({ step, text }: { step: number; text: string }): { step: number; text: string }[] {
  const sentences = text.slice(0, PROMPT_CHARACTERS).split(/(?<=[.!?。！？])\s+|\n+/);
  return sentences.slice(0, MAX_SENTENCES).map((sentence) => ({ step, text: sentence }));
}
