import type { Trace } from '../../core/trace.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { agentTurns } from '../_conduct/said.ts';
import { cut } from '../_kit/text.ts';
import type { FoundFlaw } from './flaw.ts';

/** `12 + 30 - 4 = 38`, whole or decimal numbers with thousands separators; brackets, division and units are left alone. */
const SUM =
  /(\d[\d,]{0,14}(?:\.\d{1,6})?(?: {0,2}[-+*×] {0,2}\$?\d[\d,]{0,14}(?:\.\d{1,6})?){1,8})(?=(\s{0,40}= {0,2}\$?)(-?\d[\d,]{0,14}(?:\.\d{1,6})?))/g;
const READ_CHARACTERS = 8000;
const MOST_TURNS = 200;

interface WrongSum {
  step: number;
  agent: string | null;
  text: string;
  said: number;
  right: number;
}

/** A written sum that does not hold and whose result is said again later: nobody noticed. */
export function wrongSums(trace: Trace): FoundFlaw[] {
  const turns = agentTurns(trace).slice(0, MOST_TURNS);
  for (const [at, { step, agent, text }] of turns.entries()) {
    for (const found of sumsThatFail(text)) {
      const later = turns.slice(at + 1).find((turn) => saysNumber(turn.text, found.said));
      if (later !== undefined) return [flawOf({ ...found, step, agent }, later.step)];
    }
  }
  return [];
}

function sumsThatFail(text: string): Pick<WrongSum, 'text' | 'said' | 'right'>[] {
  const plain = text.slice(0, READ_CHARACTERS).replace(/```[\s\S]*?(?:```|$)/g, ' ');
  return [...plain.matchAll(SUM)].flatMap((found) => {
    const [terms, , equals, result] = found;
    const whole = terms + equals! + result!;
    const [right, said] = [totalOf(terms), numberOf(result!)];
    const isPart = !stands(
      plain.slice(Math.max(0, found.index - 12), found.index),
      plain.slice(found.index + whole.length),
    );
    return isPart || Math.abs(right - said) <= roundingOf(result!, right) ? [] : [{ text: whole, said, right }];
  });
}

/** Not a part of a longer term: before it a blank, an equals sign or a colon, after it nothing that goes on calculating. */
function stands(before: string, after: string): boolean {
  const previous = before.trimEnd().at(-1) ?? '\n';
  const isOpen = /[\s=:$]$/.test(before) || before === '';
  return (
    isOpen &&
    !/[-+*/×÷^%.,(){}[\]\\$)]/.test(previous) &&
    !/^[\d.,]?\s{0,2}[-+*/×÷^%(\\]|^[\w%]/.test(after.slice(0, 4)) &&
    !/(?:times|cdot|frac|div|of|hundred|dozen)$/.test(before.trimEnd())
  );
}

/** Multiplication before addition. */
function totalOf(terms: string): number {
  const tokens = terms.match(/[-+*×]|\d[\d,]*(?:\.\d+)?/g) ?? [];
  let [sum, product, sign] = [0, numberOf(tokens[0] ?? '0'), 1];
  for (let at = 1; at + 1 < tokens.length; at += 2) {
    const next = numberOf(tokens[at + 1]!);
    if (tokens[at] === '*' || tokens[at] === '×') product *= next;
    else {
      sum += sign * product;
      [product, sign] = [next, tokens[at] === '-' ? -1 : 1];
    }
  }
  return sum + sign * product;
}

function numberOf(text: string): number {
  return Number(text.replace(/,/g, ''));
}

/** Results are rounded where their terms have decimals; half a percent covers it. */
function roundingOf(result: string, right: number): number {
  const decimals = result.split('.')[1]?.length ?? 0;
  return Number.isInteger(right) && decimals === 0 ? 0 : Math.max(0.6 * 10 ** -decimals, 0.005 * Math.abs(right));
}

function saysNumber(text: string, value: number): boolean {
  const numbers = text.slice(0, READ_CHARACTERS).match(/-?\d[\d,]{0,14}(?:\.\d{1,6})?/g) ?? [];
  return numbers.some((number) => numberOf(number) === value);
}

function flawOf({ step, agent, text, said, right }: WrongSum, later: number): FoundFlaw {
  const shown = Number(right.toFixed(6));
  return {
    subtype: 'wrong_sum',
    score: 0.66,
    steps: [step, later],
    agent,
    explanation: `At step ${step} ${agent ?? 'the agent'} wrote "${cut(text.replace(/\s+/g, ' '), 100)}", which is ${shown}. The wrong result was taken over at step ${later}; nobody worked it out again.`,
    suggestedAction: 'Have sums worked out by a tool, and let whoever checks an answer redo its arithmetic.',
    kind: 'text',
    path: 'output',
    quote: cut(text, 200),
    fix: checkFix('tool_change', {
      title: 'Let a tool calculate',
      target: `arithmetic of ${agent ?? 'the agent'}`,
      description: 'Give the agent a calculator or code runner, and have a check work out every written sum again.',
      after: 'for each "a + b = c" in the answer: compute it; if it does not hold, send it back',
      why: `${said} was written where ${shown} is right.`,
    }),
    key: 'arithmetic',
  };
}
