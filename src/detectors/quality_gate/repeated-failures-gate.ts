import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { isRejectedEdit } from '../_readings/coding/rejected-edits.ts';
import { failedTestNames } from '../_readings/coding/test-names.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { failedCheckText } from '../_readings/conduct/failed-check.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { checkFix, repairFix } from '../_readings/conduct/remedy.ts';
import { provesTestRun } from '../_readings/conduct/test-output.ts';
import type { GateGap } from './gap.ts';

const MIN_RUNS = 2;

/** A run of tests that a program starts after each change of an agent, with the tests that failed. */
interface AutomaticRun {
  use: ToolUse;
  failed: readonly string[];
}

/**
 * Tests that run without a command of the agent, such as those that a coding tool starts after each edit: the same test
 * failed in the last runs, the agent answered in between, and no later run of tests is recorded.
 */
export function repeatedFailuresGap(trace: Trace): GateGap | null {
  const end = trace.codingSession?.endedBy;
  if (!isWhole(trace) || trace.status === 'error' || (end !== undefined && end !== 'completed')) return null;
  const all = automaticRuns(trace);
  const last = all.at(-1);
  const name = last?.failed.find((test) => all.at(-2)?.failed.includes(test) === true);
  if (last === undefined || name === undefined) return null;
  const runs = all.slice(all.findLastIndex(({ failed }) => !failed.includes(name)) + 1);
  if (runs.length < MIN_RUNS || !isAnsweredBetween(trace, runs)) return null;
  return gapOf(runs, name);
}

/** Runs since the last user message. Empty if a command ran checks, or if an edit after the last run was applied. */
function automaticRuns(trace: Trace): AutomaticRun[] {
  const turn = lastUserTurn(trace)?.step ?? -1;
  const work = codingWork(trace).filter(({ use }) => use.step > turn);
  const runs = work.filter(({ use }) => use.command === null && actOf(trace, use) !== 'code' && provesTestRun(use));
  const later = work.slice(work.indexOf(runs.at(-1)!) + 1);
  const isChecked = work.some(({ kind, use }) => use.command !== null && (kind === 'suite' || kind === 'check'));
  if (isChecked || later.some(({ kind, use }) => kind === 'edit' && !isRejectedEdit(trace, use))) return [];
  return runs.map(({ use }) => ({ use, failed: failedTestNames(use.resultText) }));
}

function isAnsweredBetween(trace: Trace, runs: readonly AutomaticRun[]): boolean {
  const turns = agentTurns(trace);
  return runs.slice(1).every(({ use }, at) => {
    const before = runs[at]!.use.step;
    return turns.some(({ step, text }) => step > before && step < use.step && text.trim() !== '');
  });
}

function gapOf(runs: readonly AutomaticRun[], name: string): GateGap {
  const { use } = runs.at(-1)!;
  const steps = runs.map((run) => run.use.step);
  const who = use.agent ?? 'the agent';
  const shown = failedCheckText(use.resultText);
  const repair = `Have ${who} repair what step ${use.step} shows${shown === '' ? '' : ` (${cut(shown, 160)})`}, or say which tests failed before the first change.`;
  return {
    subtype: 'failing_check_left',
    title: 'The run ended while its own tests fail',
    businessImpact: 'The run left a change that is known not to work.',
    score: 0.72,
    step: use.step,
    steps,
    agent: use.agent,
    explanation: `The tests in the results of ${use.name} failed in the last ${counted(runs.length, 'run')} (${stepsText(steps)}), with an answer of ${who} before each further run. ${cut(name, 120)} failed in all of them. No later run of tests is recorded, and the run ended.`,
    suggestedAction: `${repair} Do not accept the work while the test fails.`,
    quote: name,
    path: 'tool.result',
    key: use.name,
    causeFix: repairFix(use.agent, {
      title: 'Repair what the tests show',
      repair,
      why: `${cut(name, 120)} failed in the last ${counted(runs.length, 'run')}.`,
    }),
    fix: checkFix('workflow_change', {
      title: 'Do not accept work while its own tests fail',
      target: `stop condition of ${who}`,
      description:
        'Run the tests once before the first change. When the attempts are used up and a test fails that passed before, end the run as failed.',
      after: 'if no attempt is left and a test fails that passed before the first change: end the run as failed',
      why: 'The same test failed after each of the last changes.',
    }),
  };
}
