import type { Trace } from '../../../core/trace.ts';
import { cut, joined, oneLine } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import type { LostDefinition } from './obstacle.ts';
import { isDefinition } from './split-code.ts';

const UNDEFINED = /\b(?:NameError: name '(\w{1,80})' is not defined|ReferenceError: (\w{1,80}) is not defined)/;
const NAME = /[A-Za-z_]\w{0,80}/g;

/**
 * The imports and definitions that code needs for the name that its error reports as undefined, and for the other names of
 * the failing line. An import of the user's code counts as lost even if the code defines the name itself.
 */
export function lostDefinitions(trace: Trace, use: ToolUse): LostDefinition[] {
  const output = (use.resultText || use.failure?.message) ?? '';
  const found = UNDEFINED.exec(output);
  const name = found?.[1] ?? found?.[2];
  if (name === undefined) return [];
  const own = linesOf(codeOf(use));
  const source = output
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => own.includes(line) && line.includes(name));
  const names = new Set([name, ...(source?.match(NAME) ?? [])]);
  const lost = [...names].flatMap((each) => lostDefinition(trace, use, own, each) ?? []);
  return lost.some(({ line }) => isDefinition(line, name)) ? lost : [];
}

function lostDefinition(trace: Trace, use: ToolUse, own: readonly string[], name: string): LostDefinition | null {
  const given = conversation(trace)
    .filter(({ by }) => by === 'user')
    .flatMap(({ text }) => linesOf(codeIn(text)))
    .find((line) => IMPORT.test(line) && isDefinition(line, name));
  if (given !== undefined && !own.includes(given)) return { line: given, step: null };
  if (own.some((line) => isDefinition(line, name))) return null;
  const earlier = [
    ...codeRuns(trace).map((run) => ({ step: run.step, code: codeOf(run) })),
    ...agentTurns(trace).map(({ step, text }) => ({ step, code: codeIn(text) })),
  ]
    .filter(({ step }) => step < use.requestedAt)
    .sort((a, b) => b.step - a.step);
  for (const { step, code } of earlier) {
    const line = linesOf(code).find((each) => isDefinition(each, name));
    if (line !== undefined) return { line, step };
  }
  return null;
}

const IMPORT = /^(?:from|import)\s/;

function linesOf(code: string): string[] {
  return code.split('\n').map((line) => line.trim());
}

const MAX_LOST = 3;

/** One sentence that asks for a single program with all that it calls. */
export function lostAdvice(who: string, lost: readonly LostDefinition[], step: number): string {
  const parts = lost.slice(0, MAX_LOST).map(({ line, step: source }) => {
    const origin = source === null ? "the user's code" : `step ${source}`;
    return `\`${cut(oneLine(line), 60)}\` of ${origin}`;
  });
  return `Have ${who} send one code block with all that it calls: the code of step ${step} lacks ${joined(parts)}.`;
}
