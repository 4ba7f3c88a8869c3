import type { Trace } from '../../core/trace.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { agentTurns } from '../_conduct/said.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import type { Finding } from '../_kit/define.ts';
import { counted, cut } from '../_kit/text.ts';
import { classifyFailure, type FailureClass } from './classify.ts';

/** Other arguments or another tool would have been the next step; an outage or a missing permission is a reason to stop. */
const WORTH_ANOTHER_TRY: readonly FailureClass[] = [
  'invalid_arguments',
  'not_found',
  'schema_mismatch',
  'internal_error',
  'other',
];
/** More tries are a search, and its end may be right. */
const MOST_TRIES = 2;
const EMPTY = new Set(['', '[]', '{}', 'null', 'None', '""', "''"]);

/** A run that answered after one or two calls, none of which returned anything. */
export function nothingReturned(trace: Trace): Finding<'nothing_returned'> | null {
  if (!trace.isSettled || trace.status === 'error') return null;
  const uses = toolUses(trace);
  const last = uses.at(-1);
  if (last === undefined || uses.length > MOST_TRIES || !uses.every(isFruitless)) return null;
  const answer = agentTurns(trace).find(({ step, text }) => step > last.step && text !== '');
  return answer === undefined ? null : findingOf(trace, uses, answer.step);
}

function isFruitless({ failure, refusal, command, hasResult, resultText, changesState }: ToolUse): boolean {
  if (command !== null || refusal !== null || changesState) return false;
  if (failure !== null) return WORTH_ANOTHER_TRY.includes(classifyFailure(failure));
  return hasResult && EMPTY.has(resultText.replace(/\s/g, ''));
}

function findingOf(trace: Trace, uses: readonly ToolUse[], answered: number): Finding<'nothing_returned'> {
  const [first] = uses as [ToolUse];
  const last = uses.at(-1)!;
  const who = first.agent ?? trace.steps[answered]!.name;
  const came = uses.map((use) =>
    use.failure === null
      ? `${use.name} returned an empty result at step ${use.step}`
      : `${use.name} failed at step ${use.step} ("${cut(use.failure.message.trim(), 100)}")`,
  );
  return {
    subtype: 'nothing_returned',
    score: 0.6,
    step: last.step,
    steps: [...uses.map(({ step }) => step), answered],
    agent: first.agent,
    explanation: `${who} answered at step ${answered} after ${counted(uses.length, 'call')} that returned nothing: ${came.join('; ')}. No other arguments and no other tool were tried.`,
    suggestedAction: `Have ${who} correct the arguments of ${last.name} or try another tool before it answers.`,
    evidence: uses.map((use) => ({
      kind: 'call',
      spanId: trace.steps[use.step]!.spanId,
      path: 'tool',
      quote: cut(`${use.name} ${use.argumentsText}`, 250),
      value: null,
    })),
    fixes: [
      checkFix('tool_change', {
        title: `Have ${last.name} say what to try next`,
        target: `results of ${last.name}`,
        description: `When ${last.name} finds nothing or rejects an argument, return what is accepted: the form of the argument, the nearest names, or the tool that lists them.`,
        after: `${last.name}: {"found": 0, "hint": "accepted form …; list all with …"}`,
        why: 'The agent gave up at the first result without content.',
      }),
    ],
    key: last.name,
  };
}
