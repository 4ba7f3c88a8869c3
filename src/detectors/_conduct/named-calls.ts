import type { Trace } from '../../core/trace.ts';
import { systemPrompt } from '../_kit/prompt-rule.ts';

/** `check_oven_door()` or `set_heat(level=3)`: an identifier with an underscore in front of a bracket. */
const CALL = /\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\(/g;
const READ_CHARACTERS = 60_000;

/** Names of calls that the instructions of an agent write out, in order, each once. */
export function namedCalls(trace: Trace, agent: string | null): string[] {
  const instructions = systemPrompt(trace, agent) ?? '';
  return [...new Set([...instructions.slice(0, READ_CHARACTERS).matchAll(CALL)].map(([, name]) => name!))];
}
