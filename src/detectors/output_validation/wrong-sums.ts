import type { Trace } from '../../core/trace.ts';
import { cut } from '../_kit/text.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { FoundFlaw } from './flaw.ts';
import { numberOf, type WrittenSum, writtenSums } from './written-sums.ts';

const READ_CHARACTERS = 8000;
const MAX_TURNS = 200;

interface WrongSum extends WrittenSum {
  step: number;
  agent: string | null;
}

/** A wrong written sum whose result is used again later: no one noticed. */
export function wrongSums(trace: Trace): FoundFlaw[] {
  const turns = agentTurns(trace).slice(0, MAX_TURNS);
  for (const [at, { step, agent, text }] of turns.entries()) {
    for (const found of incorrectSums(text)) {
      const later = turns.slice(at + 1).find((turn) => saysNumber(turn.text, found.written));
      if (later !== undefined) return [flawOf({ ...found, step, agent }, later.step)];
    }
  }
  return [];
}

function incorrectSums(text: string): WrittenSum[] {
  return writtenSums(withoutCode(text.slice(0, READ_CHARACTERS))).filter(
    (sum) => Math.abs(sum.right - sum.written) > roundingOf(sum),
  );
}

/** Every second part between fences is code. */
function withoutCode(text: string): string {
  return text
    .split('```')
    .filter((_, at) => at % 2 === 0)
    .join('\n');
}

/** Tolerance for rounding: half a percent if the terms have decimals. */
function roundingOf({ right, decimals }: WrittenSum): number {
  return Number.isInteger(right) && decimals === 0 ? 0 : Math.max(0.6 * 10 ** -decimals, 0.005 * Math.abs(right));
}

function saysNumber(text: string, value: number): boolean {
  const numbers = text.slice(0, READ_CHARACTERS).match(/-?\d[\d,]*(?:\.\d+)?/g) ?? [];
  return numbers.some((number) => numberOf(number) === value);
}

function flawOf({ step, agent, text, written, right }: WrongSum, later: number): FoundFlaw {
  const shown = Number(right.toFixed(6));
  return {
    subtype: 'wrong_sum',
    score: 0.66,
    steps: [step, later],
    agent,
    explanation: `At step ${step} ${agent ?? 'the agent'} wrote "${cut(text.replace(/\s+/g, ' '), 100)}", which is ${shown}. The wrong result was used at step ${later}, and no step repeated the calculation.`,
    suggestedAction: 'Compute sums with a tool, and repeat the arithmetic when an answer is checked.',
    kind: 'text',
    path: 'output',
    quote: cut(text, 200),
    fix: checkFix('tool_change', {
      title: 'Let a tool calculate',
      target: `arithmetic of ${agent ?? 'the agent'}`,
      description: 'Give the agent a calculator or code runner, and have a check repeat every calculation.',
      after: 'for each "a + b = c" in the answer: compute it; if it is wrong, reject it',
      why: `${written} was written where ${shown} is right.`,
    }),
    key: 'arithmetic',
  };
}
