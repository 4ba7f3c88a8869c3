import type { Trace } from '../../core/trace.ts';
import { counted, stepsText } from '../_kit/text.ts';
import type { FailureClass } from '../_readings/calls/failure-cause.ts';
import { type JoinedCalls, joinedCalls } from '../_readings/calls/joined-calls.ts';
import { joinedCallsAction, joinedCallsFix } from '../_readings/conduct/remedy.ts';
import type { Failure } from './failure.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** A group of failures (`failures.ts`). */
interface Group {
  failures: readonly [Failure, ...Failure[]];
}

/** What a provider answers to a request with a call whose name or arguments it cannot read, and what the program makes of it. */
const REJECTIONS: ReadonlySet<FailureClass> = new Set(['invalid_arguments', 'other']);

/** The joined calls that a failed request directly follows: nothing worked between them. Null for other failures. */
export function joinedCallsBefore({ trace, failure }: { trace: Trace; failure: Failure }): JoinedCalls | null {
  if (failure.what === 'tool' || !REJECTIONS.has(failure.class)) return null;
  const joined = joinedCalls(trace).findLast(({ use }) => use.step < failure.step);
  if (joined === undefined) return null;
  const between = trace.steps.slice(joined.use.step + 1, failure.step);
  return between.some(({ kind, error }) => error === null && WORK.has(kind)) ? null : joined;
}

const WORK: ReadonlySet<string> = new Set(['llm', 'tool', 'message', 'retrieval']);

/** The joined calls before the first failure of a group; null if it follows none. */
export function joinedCallsOf(trace: Trace, { failures: [failure] }: Group): JoinedCalls | null {
  return joinedCallsBefore({ trace, failure });
}

/** The steps of the joined calls that the failures of a group follow. */
export function joinedSteps(trace: Trace, { failures }: Group): number[] {
  return failures.flatMap((failure) => joinedCallsBefore({ trace, failure })?.use.step ?? []);
}

/** The beginning of the explanation if the program reports the failures as messages. */
export function reportedErrorsText({ failures }: Group): string {
  const [{ agent, name, step }] = failures;
  const who = agent ?? name;
  return failures.length === 1
    ? `The message of ${who} at step ${step} reports an error`
    : `${counted(failures.length, 'message')} of ${who} report an error (${stepsText(failures.map((failure) => failure.step))})`;
}

/** One sentence with a leading space: the joined calls that the failures follow. */
export function followsJoinedText(trace: Trace, group: Group): string {
  const joined = joinedCallsOf(trace, group);
  if (joined === null) return '';
  const { step, name } = joined.use;
  return ` ${group.failures.length === 1 ? 'It' : 'The first one'} follows step ${step}, where several calls of one turn were joined into a call of ${name}.`;
}

/** The remedy for requests that failed because of the joined calls in their messages. */
export function joinedCallsRemedy(trace: Trace, group: Group): Remedy | null {
  const joined = joinedCallsOf(trace, group);
  if (joined === null) return null;
  const { step, agent } = joined.use;
  const who = agent ?? trace.steps[step]!.name;
  const retry = `Before a retry, remove the call of step ${step} from the messages: the request that follows it failed.`;
  return {
    action: `${joinedCallsAction(who)} ${retry}`,
    fixes: [
      joinedCallsFix(who),
      fixOf(who, {
        fixType: 'workflow_change',
        title: 'Remove a joined call before the request is sent again',
        description: retry,
        rationale: 'A request with the same messages fails again.',
        change: `before a retry of ${who}: remove calls whose name is no declared tool or whose arguments are not one JSON object`,
      }),
    ],
  };
}
