import type { Trace } from '../../core/trace.ts';
import { recordedWord } from '../_kit/completeness.ts';
import { capitalized } from '../_kit/text.ts';
import type { OpenState } from '../_readings/conduct/required-states.ts';

const MAX_SHOWN = 2;

/** Sentences with a trailing space about states that the instructions name a call for; empty without such states. */
export function openStatesText(trace: Trace, open: readonly OpenState[], who: string): string {
  return open
    .slice(0, MAX_SHOWN)
    .map((one) => `${openStateText(trace, one, who)} `)
    .join('');
}

function openStateText(
  trace: Trace,
  { call, state, since, missing, isCalled, isField, condition }: OpenState,
  who: string,
): string {
  const recorded = recordedWord(trace);
  const shown = `Step ${state.step} shows "${plain(state.text)}"${missing.length === 0 ? '' : ` without ${quoted(missing)}`}${since === state.step ? '' : ` (since step ${since})`}`;
  if (isField) return `${shown} in the record of the user, and no later ${recorded}call changed it.`;
  const reason = `which the instructions of ${who} name for this${condition === null ? '' : ` ("${condition}")`}`;
  return isCalled && recorded === ''
    ? `${shown}, and ${call}, ${reason}, was not called ${missing.length === 0 ? 'again' : 'for that'}.`
    : recorded === ''
      ? `${shown}, and the run never called ${call}, ${reason}.`
      : `${shown}, and no call of ${call}, ${reason}, is recorded.`;
}

/** Sentences with a trailing space: the calls to make before the check runs again. */
export function openStatesAdvice(open: readonly OpenState[], check: string): string {
  const shown = open.slice(0, MAX_SHOWN);
  if (shown.length === 0) return '';
  const steps = shown.map(
    ({ call, state, missing, isField, condition }) =>
      `${isField ? `turn on what step ${state.step} shows as "${plain(state.text)}"` : `call ${call}${missing.length === 0 ? '' : ` for ${quoted(missing)}`}`}${condition === null ? '' : ` under the condition of the instructions ("${condition}")`}`,
  );
  return `${capitalized(steps.join(', '))}, then run ${check} again. `;
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(' and ');
}

/** The member of a JSON object without its quotes and brackets. */
function plain(text: string): string {
  const bare = text.replace(/^[\s{[]{1,20}|[\s}\]]{1,20}$/g, '');
  return bare.replace(/^"([^"]{1,60})"\s{0,3}:\s{0,3}/, '$1: ');
}
