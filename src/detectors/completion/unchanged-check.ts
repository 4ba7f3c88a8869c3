import type { Trace } from '../../core/trace.ts';
import { attemptsBetween, isConstant, type Probe, probes } from '../_conduct/probes.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { counted, cut } from '../_kit/text.ts';
import type { Verdict } from './verdict.ts';

/** A verdict is short; a long result is data that was read again. */
const LONGEST_VERDICT = 300;
const FEWEST_RESULTS = 3;
/** Calls by which a run is handed over to somebody else. */
const HANDS_OVER = /transfer|hand_?(?:off|over)|escalat/i;
/** Calls after the last result, apart from those that close the run: a further one may be the last look at something else. */
const MOST_AFTER = 1;

/**
 * A check that answered the same before and after each change until the run was handed over to somebody else. Without the
 * hand-over, the same answer may be the one that was wanted.
 */
export function unchangedCheck(trace: Trace): Verdict | null {
  if (!trace.isSettled) return null;
  const uses = toolUses(trace);
  const handover = uses.at(-1);
  if (handover === undefined || !HANDS_OVER.test(handover.name)) return null;
  const found = probes(trace).filter((probe) => isUnchangedCheck(uses, probe));
  const [longest] = found.toSorted((a, b) => b.uses.length - a.uses.length);
  return longest === undefined ? null : verdictOf(trace, uses, longest, handover);
}

function isUnchangedCheck(uses: readonly ToolUse[], probe: Probe): boolean {
  const [first] = probe.uses;
  const last = probe.uses.at(-1)!;
  if (probe.uses.length < FEWEST_RESULTS || !isConstant(probe) || first.command !== null) return false;
  if (first.resultText.length > LONGEST_VERDICT) return false;
  const tries = probe.at.slice(1).map((to, nth) => attemptsBetween(uses, probe.at[nth]!, to).filter(isOther(first)));
  if (tries.filter((made) => made.length > 0).length < FEWEST_RESULTS - 1) return false;
  const after = uses.slice(probe.at.at(-1)! + 1).filter(({ name }) => !HANDS_OVER.test(name));
  return after.length <= MOST_AFTER && !after.some((use) => use.changesState || hasOtherAnswer(use, last));
}

function isOther(check: ToolUse): (use: ToolUse) => boolean {
  return ({ name }) => name !== check.name;
}

/** The same tool answered something else at the end, with other arguments: the check was replaced. */
function hasOtherAnswer(use: ToolUse, last: ToolUse): boolean {
  return use.name === last.name && use.resultHash !== last.resultHash;
}

function verdictOf(trace: Trace, uses: readonly ToolUse[], { uses: results, at }: Probe, handover: ToolUse): Verdict {
  const [first] = results;
  const last = results.at(-1)!;
  const tries = attemptsBetween(uses, at[0]!, at.at(-1)!).filter(isOther(first));
  const names = [...new Set(tries.map(({ name }) => name))];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
  const answer = textOf(last);
  return {
    subtype: 'check_unchanged',
    score: 0.66,
    step: last.step,
    steps: [last.step, ...results.slice(0, -1).map(({ step }) => step)],
    agent: last.agent,
    explanation: `${last.name} answered the same in all ${results.length} calls, from step ${first.step} to step ${last.step}: "${cut(answer, 120)}". Between them the run made ${counted(tries.length, 'call')} that can change something (${shown}). The run ended with ${handover.name} at step ${handover.step}.`,
    suggestedAction: `Look for a cause that none of these changes reaches, beginning with what ${last.name} depends on.`,
    evidence: [first, last].map((use) => ({
      kind: use.isError ? 'error' : 'text',
      step: use.step,
      path: 'tool.result',
      quote: textOf(use),
    })),
    fix: checkFix('workflow_change', {
      title: `End the run on what ${last.name} answers`,
      target: `stop condition of ${nameOf(trace, last)}`,
      description: `Compare each result of ${last.name} with the one before it. When it stays the same after two changes, have the agent list the causes it has not looked at before it changes anything else or hands over.`,
      after: `if ${last.name} answers the same after two changes: list the causes that were not checked yet, check the next one`,
      why: 'Changes that do not reach the cause leave the task undone.',
    }),
    key: last.name,
  };
}

function textOf({ resultText, failure }: ToolUse): string {
  return (resultText === '' ? (failure?.message ?? '') : resultText).trim();
}

function nameOf(trace: Trace, use: ToolUse): string {
  return use.agent ?? trace.steps[use.step]!.name;
}
