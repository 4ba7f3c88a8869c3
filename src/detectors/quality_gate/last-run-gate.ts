import type { Trace } from '../../core/trace.ts';
import { codeArgument } from '../_kit/argument-roles.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { cut } from '../_kit/text.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { executions } from '../_readings/conduct/executions.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { statedFailure, statedVerdict } from '../_readings/conduct/run-outcome.ts';
import type { GateGap } from './gap.ts';

/** A run whose last executed code failed, by its exit code or by what its tests state, and that ended without another run. */
export function lastRunGap(trace: Trace): GateGap | null {
  if (!trace.isSettled) return null;
  const inChat = executions(trace);
  const runs = inChat.length > 0 ? inChat : codeRunAtEnd(trace);
  const last = runs.at(-1);
  if (last === undefined) return null;
  const isStated = DEFINITION.test(codeOf(last)) && verdictOf(last) === false;
  if (!isStated && (inChat.length === 0 || last.failure === null || verdictOf(last) === true)) return null;
  const isSecond = runs.at(-2)?.isError === true;
  const isAnswered = trace.steps.some(({ index, output }) => index > last.step && output.trim() !== '');
  const reported = isStated ? statedFailure(last.resultText, codeOf(last)) : last.failure!.message;
  const author = last.agent ?? trace.steps[last.step]!.name;
  const why = cut(reported.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'failed_run_left',
    // One failed run after successful ones is often a side check, and a following answer may report an expected failure:
    // notes.
    score: isStated || (isSecond && !isAnswered) ? 0.72 : 0.5,
    step: last.step,
    steps: [last.step],
    agent: last.agent,
    explanation: `The last code of ${author} that ${last.name} ran failed at step ${last.step} ("${why}"). No other run is recorded before the run ended.`,
    suggestedAction: `Have ${author} correct the code and run it again, or say in the answer that it failed.`,
    quote: last.resultText,
    path: 'output',
    fix: checkFix('workflow_change', {
      title: 'Do not end on a failed run',
      target: `stop condition of the chat between ${author} and ${last.name}`,
      description: `Before the chat ends, look at the last message of ${last.name}: after a failure, ask ${author} for a correction that runs.`,
      after: `on end: if the last run of ${last.name} failed, continue with its error, at most 3 times; then report the failure`,
      why: 'The last recorded run of the code failed.',
    }),
    key: `${author} ${last.name}`,
  };
}

/** Code that defines something is work of the agent; code without a definition may only run the tests that the user asked for. */
const DEFINITION = /\b(?:def|function|func|fn|fun|class|struct|impl)\s{1,4}\w|=>/;

/** The calls that executed code, if one of them is the last call of the run. */
function codeRunAtEnd(trace: Trace): readonly ToolUse[] {
  const uses = toolUses(trace);
  const isRun = (use: ToolUse) => actOf(trace, use) === 'code';
  return uses.length > 0 && trace.status !== 'error' && isRun(uses.at(-1)!) ? uses.filter(isRun) : [];
}

function verdictOf(use: ToolUse): boolean | null {
  return statedVerdict(use.resultText, codeOf(use));
}

function codeOf({ command, arguments: args, argumentsText }: ToolUse): string {
  return command ?? codeArgument(args) ?? argumentsText;
}
