import type { Trace } from '../../../core/trace.ts';
import { systemPrompt } from '../../_kit/prompt-rule.ts';

/** `check_oven_door()` or `set_heat(level=3)`: an identifier with an underscore before a bracket. */
const CALL = /\b([a-z][a-z0-9_]{1,80})\(/g;
const READ_CHARACTERS = 60_000;
/** Approximate size of the paragraph around a call. */
const AROUND_CHARACTERS = 300;

/** A place of the instructions that writes out a call. */
interface CallSite {
  args: string;
  /** The sentence before the call. */
  before: string;
  /** The rest of the sentence, up to the next call. */
  after: string;
}

export interface NamedCall {
  name: string;
  sites: readonly CallSite[];
}

/**
 * Names of the calls that the instructions of an agent write out, without duplicates. Calls whose context shares the rarest
 * words with the name `near` come first.
 */
export function namedCalls(trace: Trace, agent: string | null, near: string): string[] {
  return namedCallSites(trace, agent, near).map(({ name }) => name);
}

/** The same calls with the sentences that contain them. */
export function namedCallSites(trace: Trace, agent: string | null, near: string): NamedCall[] {
  const instructions = (systemPrompt(trace, agent) ?? '').slice(0, READ_CHARACTERS);
  const lower = instructions.toLowerCase();
  const weights = near
    .toLowerCase()
    .split('_')
    .filter((word) => word.length >= 3)
    .map((word) => ({ word, weight: 1 / Math.max(1, lower.split(word).length - 1) }));
  const scores = new Map<string, number>();
  const sites = new Map<string, CallSite[]>();
  for (const { 0: start, 1: name, index } of instructions.matchAll(CALL)) {
    if (!name!.includes('_')) continue;
    const around = lower.slice(Math.max(0, index - AROUND_CHARACTERS), index + AROUND_CHARACTERS);
    const score = weights.reduce((sum, { word, weight }) => sum + (around.includes(word) ? weight : 0), 0);
    scores.set(name!, Math.max(score, scores.get(name!) ?? 0));
    sites.set(name!, [...(sites.get(name!) ?? []), siteAt(instructions, index, index + start.length)]);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([name]) => ({ name, sites: sites.get(name)! }));
}

const SENTENCE_END = /[.!?]\s|\n/;

function siteAt(text: string, from: number, argsFrom: number): CallSite {
  const before = text
    .slice(Math.max(0, from - SENTENCE_CHARACTERS), from)
    .split(SENTENCE_END)
    .at(-1)!;
  const rest = text.slice(argsFrom, argsFrom + SENTENCE_CHARACTERS);
  const close = rest.indexOf(')');
  const args = close < 0 ? '' : rest.slice(0, close);
  const tail = rest.slice(close + 1).split(SENTENCE_END)[0]!;
  const next = tail.search(CALL_START);
  return { args, before, after: next < 0 ? tail : tail.slice(0, next) };
}

const SENTENCE_CHARACTERS = 400;
const CALL_START = /\b[a-z][a-z0-9_]{1,80}\(/;
