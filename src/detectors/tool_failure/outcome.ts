import type { Step, Trace } from '../../core/trace.ts';
import { languageOf } from '../_conduct/language.ts';
import { toolUses } from '../_kit/calls.ts';
import type { Failure, FailureGroup } from './failures.ts';

/** What became of a failure, best first. */
export type Outcome =
  | 'recovered'
  | 'taken_over'
  | 'worked_around'
  | 'replaced_by_default'
  | 'reported'
  | 'pending'
  | 'ignored'
  | 'gave_up_repeating'
  | 'fatal';

const ADMITS =
  /\b(?:unable|could ?n[o']t|can ?not|can't|couldn't|failed|failure|error|issue|problem|unfortunately|sorry|apologi[sz]e|not (?:available|found|possible|able)|no (?:results?|access|longer)|unavailable|does ?n[o']t|didn't|did not|wasn't|invalid|instead|another|different|try again|alternative|however)\b/i;

/** Judges a group by what happened after its last failure. */
export function outcomeOf(trace: Trace, { failures }: FailureGroup): Outcome {
  const [first] = failures;
  const last = failures[failures.length - 1]!;
  if (succeedsLater(trace, last)) return 'recovered';
  const takenOverBy = trace.steps[last.step]!.takenOverBy;
  // That no model answered is told by resource_misallocation.
  if (takenOverBy === 'default_value' && last.what !== 'model') return 'replaced_by_default';
  if (takenOverBy !== undefined) return 'taken_over';
  if (endsRun(trace, last)) return 'fatal';
  if (isReported(trace, last)) return 'reported';
  if (failures.length >= 3 && !succeedsAtAll(trace, first)) return 'gave_up_repeating';
  if (worksAround(trace, last)) return 'worked_around';
  return trace.isSettled ? 'ignored' : 'pending';
}

/** The same tool (or model, or node) works later, whatever it is asked. */
function succeedsLater(trace: Trace, failure: Failure): boolean {
  return successes(trace, failure).some((step) => step > failure.step);
}

function succeedsAtAll(trace: Trace, failure: Failure): boolean {
  return successes(trace, failure).length > 0;
}

function successes(trace: Trace, { what, name, agent }: Failure): number[] {
  if (what === 'tool') return toolUses(trace).flatMap((use) => (use.name === name && !use.isError ? [use.step] : []));
  const isSame = (step: Step) =>
    what === 'model' ? step.kind === 'llm' && step.agent === agent : (step.node ?? step.name) === name;
  return trace.steps.flatMap((step) => (step.error === null && isSame(step) ? [step.index] : []));
}

/** The run failed, and with it: nothing of its own work came after. */
function endsRun(trace: Trace, failure: Failure): boolean {
  if (trace.status !== 'error') return false;
  const enclosing = new Set<number>();
  for (let at = trace.steps[failure.step]!.parent; at !== null; at = trace.steps[at]!.parent) enclosing.add(at);
  const root = trace.steps.find((step) => step.parent === null);
  const rootFailed =
    root !== undefined && root.error !== null && (enclosing.has(root.index) || root.index === failure.step);
  const isLast = !trace.steps.some((step) => step.index > failure.step && step.error === null && step.kind === 'llm');
  return rootFailed ? isLast || root.error!.message.includes(failure.text.message.slice(0, 60)) : isLast;
}

/** The next thing a model or the run says admits that something went wrong or says what it does instead. */
function isReported(trace: Trace, failure: Failure): boolean {
  const next = trace.steps.find((step) => step.index > failure.step && step.kind === 'llm' && step.output !== '');
  const isSaid = next !== undefined && mayAdmit(plainWords(next));
  return isSaid || (trace.finalOutput !== null && mayAdmit(trace.finalOutput));
}

/** In a language whose words are not known here, a text may say it. */
function mayAdmit(text: string): boolean {
  return ADMITS.test(text) || !['english', null].includes(languageOf(text));
}

function plainWords(step: Step): string {
  return step.output.startsWith('[tool_call]') ? '' : step.output.slice(0, 2000);
}

/** Another tool succeeds after the failure. */
function worksAround(trace: Trace, failure: Failure): boolean {
  return toolUses(trace).some((use) => use.step > failure.step && !use.isError);
}
