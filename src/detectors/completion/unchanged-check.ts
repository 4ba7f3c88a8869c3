import type { Trace } from '../../core/trace.ts';
import { attemptsBetween, isConstant, type Probe, probes } from '../_conduct/probes.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { counted, cut } from '../_kit/text.ts';
import { ENDS_BY_DESIGN } from './last-words.ts';
import type { Verdict } from './verdict.ts';

/** A verdict is short; a long result is data that was read again. */
const LONGEST_VERDICT = 300;
const FEWEST_RESULTS = 3;

/**
 * A check that the run made before its first change and again after its changes, and that answered the same each time. The
 * changes were made for another answer, and the run ended without it.
 */
export function unchangedCheck(trace: Trace): Verdict | null {
  if (!trace.isSettled) return null;
  const uses = toolUses(trace);
  const found = probes(trace).filter((probe) => isUnchangedCheck(uses, probe));
  const [longest] = found.toSorted((a, b) => b.uses.length - a.uses.length);
  return longest === undefined ? null : verdictOf(trace, uses, longest);
}

function isUnchangedCheck(uses: readonly ToolUse[], probe: Probe): boolean {
  const [first] = probe.uses;
  if (probe.uses.length < FEWEST_RESULTS || !isConstant(probe) || first.command !== null) return false;
  if (first.resultText.length > LONGEST_VERDICT || ENDS_BY_DESIGN.test(first.name)) return false;
  const tries = probe.at.slice(1).map((to, nth) => attemptsBetween(uses, probe.at[nth]!, to).filter(isOther(first)));
  if (tries.filter((made) => made.length > 0).length < FEWEST_RESULTS - 1) return false;
  const after = attemptsBetween(uses, probe.at.at(-1)!, uses.length).filter(({ name }) => !ENDS_BY_DESIGN.test(name));
  return after.filter(isOther(first)).length === 0 && !hasOtherAnswer(uses, probe);
}

function isOther(check: ToolUse): (use: ToolUse) => boolean {
  return ({ name }) => name !== check.name;
}

/** The same tool answered something else at the end, with other arguments: the check was replaced. */
function hasOtherAnswer(uses: readonly ToolUse[], { uses: [first], at }: Probe): boolean {
  return uses.slice(at.at(-1)! + 1).some((use) => use.name === first.name && use.resultHash !== first.resultHash);
}

function verdictOf(trace: Trace, uses: readonly ToolUse[], { uses: results, at }: Probe): Verdict {
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
    explanation: `${last.name} answered the same in all ${results.length} calls, from step ${first.step} to step ${last.step}: "${cut(answer, 120)}". Between them the run made ${counted(tries.length, 'call')} that can change something (${shown}), and it ended without another answer.`,
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
