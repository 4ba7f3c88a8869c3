import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import type { FailureClass } from '../_readings/calls/failure-cause.ts';
import { classifyFailure } from '../_readings/calls/failure-class.ts';
import { isFileEdit } from '../_readings/conduct/call-acts.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';

/** A changing tool that rejected calls for different reasons. */
export interface RejectedChanges {
  /** The rejected calls, in order, with different arguments and different reasons. */
  rejected: readonly [ToolUse, ToolUse, ...ToolUse[]];
  /** The tool's first accepted call after them; null if there is none. */
  accepted: ToolUse | null;
}

/** Number of calls from which a tool that never worked is reported as broken. */
const MIN_CALLS_OF_BROKEN_TOOL = 3;

/** Failure classes whose cause is not in the arguments. */
const FAULTS_ELSEWHERE: readonly FailureClass[] = [
  'rate_limit',
  'timeout',
  'service',
  'exhaustion',
  'auth',
  'internal_error',
];

/**
 * Changes that were tried again and rejected for another reason: each reason is something that the agent did not check
 * before the call. Runs that execute commands or edit files are omitted because they work by trial.
 */
export function rejectedChanges(trace: Trace): RejectedChanges[] {
  if (worksOnFiles(trace)) return [];
  const uses = toolUses(trace).filter(({ changesState }) => changesState);
  return [...Map.groupBy(uses, ({ name }) => name).values()].flatMap((own): RejectedChanges[] => {
    const [first, second, ...others] = distinct(own.filter(isRejected));
    if (first === undefined || second === undefined) return [];
    // A tool that never worked is reported as `never_worked`.
    if (own.length >= MIN_CALLS_OF_BROKEN_TOOL && own.every(({ isError }) => isError)) return [];
    const last = others.at(-1) ?? second;
    const accepted = own.find((use) => use.step > last.step && !use.isError) ?? null;
    return [{ rejected: [first, second, ...others], accepted }];
  });
}

function worksOnFiles(trace: Trace): boolean {
  return codingWork(trace).some(({ use, kind }) => use.command !== null || isFileEdit(use) || kind === 'check');
}

function isRejected({ failure, refusal }: ToolUse): boolean {
  return failure !== null && refusal === null && !FAULTS_ELSEWHERE.includes(classifyFailure(failure));
}

/** One call per reason, with different arguments. */
function distinct(rejected: readonly ToolUse[]): ToolUse[] {
  const reasons = new Set<string>();
  const seen = new Set<string>();
  return rejected.filter(({ failure, argumentsText }) => {
    const reason = failure!.message.trim();
    if (reason === '' || reasons.has(reason) || seen.has(argumentsText)) return false;
    reasons.add(reason);
    seen.add(argumentsText);
    return true;
  });
}
