import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { isCommentLine } from '../_readings/coding/comment-lines.ts';
import { EDITING_NAME, isRejectedEdit } from '../_readings/coding/rejected-edits.ts';
import { submittedDiff } from '../_readings/coding/submitted-diff.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { type Attempt, workAttempts } from '../_readings/conduct/attempts.ts';
import { adviceAt, type CallAdvice } from '../_readings/conduct/call-advice.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { checkFix, repairFix } from '../_readings/conduct/remedy.ts';
import { isVersionSwitch } from '../_readings/conduct/version-switch.ts';
import { isExplained } from './explained-failure.ts';
import type { GateGap } from './gap.ts';
import { type TrialSubmission, trialSubmission } from './nothing-changed-gate.ts';

const MIN_RUNS = 2;

/**
 * A command that failed, was run again after a change, failed again, and is the last call of the run except reads: the work
 * was submitted with a failing check.
 */
export function failingCheckGap(trace: Trace): GateGap | null {
  const end = trace.codingSession?.endedBy;
  if (!isWhole(trace) || trace.status === 'error' || (end !== undefined && end !== 'completed')) return null;
  const attempts = sinceLastTurn(trace);
  const last = attempts.at(-1);
  if (last === undefined || !isCheck(trace, last) || last.hasFailed !== true) return null;
  const suite = codingWork(trace).find(({ kind, use }) => kind === 'suite' && use.step === last.step);
  if (suite !== undefined && isExplained(trace, suite)) return null;
  const runs = attempts.filter(({ by, request }) => by === last.by && request === last.request);
  const isChanged = runs.length >= MIN_RUNS && attempts.slice(attempts.indexOf(runs.at(-2)!) + 1, -1).some(hasWorked);
  if (!isChanged || runs.some(({ hasFailed }) => hasFailed !== true)) return null;
  const between = attempts.slice(attempts.indexOf(runs[0]!) + 1, -1);
  return gapOf(
    trace,
    runs,
    between.filter((one) => hasWorked(one) && !runs.includes(one)),
  );
}

/** Whether the call is a command, a test run or program text that ran. The result of another tool may be a refusal. */
function isCheck(trace: Trace, { command, step }: Attempt): boolean {
  if (command !== null) return true;
  return codingWork(trace).some(({ kind, use }) => use.step === step && (kind === 'suite' || kind === 'check'));
}

function gapOf(trace: Trace, runs: readonly Attempt[], changes: readonly Attempt[]): GateGap {
  const [first, last] = [runs[0]!, runs.at(-1)!];
  const line = answerLine(last.result);
  const advice = adviceAt(trace, last.step);
  const stub = commentedOut(trace);
  const repair = advice?.action ?? `Have ${last.agent ?? 'the agent'} repair what step ${last.step} shows ("${line}").`;
  const edits = changes.filter(({ step }) => isAcceptedEdit(trace, step));
  const errors = new Set(runs.map(({ result }) => answerLine(result))).size;
  const story = `A check with ${last.by} failed in ${runs.length === 2 ? 'both runs' : `all ${runs.length} runs`}, first at step ${first.step} and again at step ${last.step} with ${edits.length === 0 ? 'other calls' : counted(edits.length, 'change')} in between${errors === 1 ? '' : `, with ${errors} different results, the last of them`}: "${line}".`;
  const gap = {
    subtype: 'failing_check_left',
    steps: runs.map(({ step }) => step),
    agent: last.agent,
    quote: line,
    path: 'tool.result',
    key: last.by,
  } as const;
  const trial = trialSubmission(trace);
  if (trial?.isCertain === true) return { ...gap, ...trialTexts(trial, story), evidenceStep: last.step };
  return {
    ...gap,
    // The change is known to do nothing.
    score: stub === null ? 0.72 : 0.9,
    step: stub?.step ?? last.step,
    ...(stub === null ? {} : { evidenceStep: last.step }),
    explanation: `${story} Nothing was run after that, and the work was submitted.${stub === null ? '' : ` ${stub.text}`}`,
    suggestedAction: `${stub === null ? '' : `${stub.advice} `}${repair} Reject the submission while that check fails.`,
    causeFix: causeFixOf(last, stub, advice, repair),
    fix: checkFix('workflow_change', {
      title: 'Do not accept work while its own check fails',
      target: `stop condition of ${last.agent ?? 'the agent'}`,
      description:
        'Before the run may end, run the last failing command again and hand its output back to the agent while it fails.',
      after:
        'on stop: if the last command failed and ran before, run it again; when it fails, continue with its output',
      why: 'The same command failed before and after the change.',
    }),
  };
}

/** The removed code comes first: no check can pass without it. */
function causeFixOf(
  { agent }: Attempt,
  stub: { advice: string } | null,
  advice: CallAdvice | null,
  repair: string,
): Fix {
  if (stub !== null)
    return repairFix(agent, {
      title: 'Restore the code that was removed',
      repair: stub.advice,
      why: 'The submitted change only replaces code with comments.',
    });
  const why = 'The same command failed before and after the change.';
  return advice?.fix ?? repairFix(agent, { title: 'Repair what the check shows', repair, why });
}

/** Texts if the submission contains no change of existing code: a check that passes would not do the task either. */
function trialTexts(trial: TrialSubmission, story: string) {
  return {
    score: 0.9,
    step: trial.step,
    title: 'Submitted with new trial files only, and its own check still fails',
    businessImpact: 'The task is closed, but the existing code is unchanged.',
    explanation: `${trial.text} ${story} Nothing was run after that.`,
    suggestedAction: trial.advice,
    fix: trial.fix,
  };
}

function isAcceptedEdit(trace: Trace, step: number): boolean {
  const work = codingWork(trace).find(({ use }) => use.step === step);
  if (work === undefined || isRejectedEdit(trace, work.use)) return false;
  return work.kind === 'edit' || (work.use.command === null && EDITING_NAME.test(work.use.name));
}

/** Texts for a submitted change that replaces statements of existing files by comments; null for other changes. */
function commentedOut(trace: Trace): { text: string; advice: string; step: number | null } | null {
  const changed = submittedDiff(trace)?.files.filter(({ isNew, isDeleted }) => !isNew && !isDeleted) ?? [];
  const added = changed.flatMap((file) => file.added).filter((line) => line.trim() !== '');
  const isComment = (path: string) => (line: string) => isCommentLine(line, path);
  const isRemoving = changed.some(({ path, removed }) => !removed.every(isComment(path)));
  const isCommenting = changed.every((file) => file.added.every(isComment(file.path)));
  if (added.length === 0 || !isRemoving || !isCommenting) return null;
  const paths = changed.map(({ path }) => path).join(', ');
  const comment = added[0]!.trim();
  const written = trace.steps.find(({ kind, output }) => kind === 'llm' && output.includes(comment))?.index;
  return {
    step: written ?? toolUses(trace).find(({ argumentsText }) => argumentsText.includes(comment))?.step ?? null,
    text: `The submitted change only replaces code of ${paths} with comments: "${cut(comment, 100)}".`,
    advice: `Restore the code that was removed from ${paths}, and make the change that the comment stands for.`,
  };
}

/** Attempts since the last user message, without reads and submissions. */
function sinceLastTurn(trace: Trace): Attempt[] {
  const turn = lastUserTurn(trace)?.step ?? -1;
  return workAttempts(trace).filter(({ step, isLookup }) => step > turn && !isLookup);
}

function hasWorked(attempt: Attempt): boolean {
  return attempt.hasFailed !== true && !isVersionSwitch(attempt);
}
