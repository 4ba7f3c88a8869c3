import { leafTexts, parseJson } from '../../core/json.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { isInside } from '../_kit/enclosing-steps.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import type { Flaw } from './flaw.ts';

/** One condition alone is often an optional step. */
const MIN_CONDITIONS = 2;

/**
 * A step chose between branches by the answer of a model, no condition held, and the run ended without an error and without
 * a result.
 */
export function findUntakenBranches(trace: Trace): Flaw[] {
  if (!hasKnownEnd(trace) || trace.status === 'error' || hasResult(trace)) return [];
  const step = trace.steps.findLast(({ branches }) => branches !== undefined);
  if (step?.branches === undefined || step.branches.taken.length > 0 || step.branches.conditions < MIN_CONDITIONS)
    return [];
  if (trace.steps.slice(step.index + 1).some((later) => !isInside(trace, later.index, step.index))) return [];
  const values = new Set(leafTexts(parseJson(step.input) ?? step.input).map((text) => text.trim()));
  const isChoice = ({ kind, output }: Step) => kind === 'llm' && output.trim() !== '' && values.has(output.trim());
  const answer = trace.steps.slice(0, step.index).findLast(isChoice);
  return answer === undefined ? [] : [flawOf(step, answer, step.branches.conditions)];
}

function hasResult({ finalOutput }: Trace): boolean {
  const text = (finalOutput ?? '').trim();
  return text !== '' && text !== '{}' && text !== '[]' && text !== 'null';
}

function flawOf(step: Step, answer: Step, conditions: number): Flaw {
  const who = answer.agent ?? answer.name;
  const choice = cut(oneLine(answer.output), 80);
  return {
    subtype: 'no_branch_taken',
    score: 0.9,
    step: answer.index,
    steps: [answer.index, step.index],
    agent: answer.agent,
    explanation: `${who} answered "${choice}" at step ${answer.index}. ${step.name} (step ${step.index}) evaluated its ${counted(conditions, 'condition')} with this answer, and none of them held. No branch ran, and the run ended without a result and without an error.`,
    suggestedAction: `Restrict the answers of ${who} to the names that ${step.name} tests, and add a branch for every other answer, such as "${choice}".`,
    evidence: [
      { kind: 'text', spanId: answer.spanId, path: 'output', quote: choice, value: null },
      { kind: 'route', spanId: step.spanId, path: 'branches', quote: null, value: { conditions, taken: [] } },
    ],
    target: `branches of ${step.name}`,
    change: `last branch: if no other condition holds, report "${choice}" as an unknown choice and ask ${who} again`,
    rationale: 'Without a branch for other answers, a request with an unexpected answer is dropped without an error.',
    key: `no branch ${step.name}`,
  };
}
