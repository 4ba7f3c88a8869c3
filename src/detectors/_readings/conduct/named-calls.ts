import type { Trace } from '../../../core/trace.ts';
import { systemPrompt } from '../../_kit/prompt-rule.ts';

/** `check_oven_door()` or `set_heat(level=3)`: an identifier with an underscore before a bracket. */
const CALL = /\b([a-z][a-z0-9_]{1,80})\(/g;
const READ_CHARACTERS = 60_000;
/** Approximate size of the paragraph around a call. */
const AROUND_CHARACTERS = 300;

/**
 * Names of the calls that the instructions of an agent write out, without duplicates. Calls whose context shares the rarest
 * words with the name `near` come first.
 */
export function namedCalls(trace: Trace, agent: string | null, near: string): string[] {
  const instructions = (systemPrompt(trace, agent) ?? '').slice(0, READ_CHARACTERS);
  const lower = instructions.toLowerCase();
  const weights = near
    .toLowerCase()
    .split('_')
    .filter((word) => word.length >= 3)
    .map((word) => ({ word, weight: 1 / Math.max(1, lower.split(word).length - 1) }));
  const scores = new Map<string, number>();
  for (const { 1: name, index } of instructions.matchAll(CALL)) {
    if (!name!.includes('_')) continue;
    const around = lower.slice(Math.max(0, index - AROUND_CHARACTERS), index + AROUND_CHARACTERS);
    const score = weights.reduce((sum, { word, weight }) => sum + (around.includes(word) ? weight : 0), 0);
    scores.set(name!, Math.max(score, scores.get(name!) ?? 0));
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
