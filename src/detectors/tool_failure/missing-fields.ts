import type { Trace } from '../../core/trace.ts';
import { joined, stepsText } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { isDeclaredRequired, missingFields, passesField } from '../_readings/conduct/passed-arguments.ts';
import type { Failure } from './failure.ts';

/** A field that the errors of some calls of a tool call missing. */
interface MissingField {
  field: string;
  /** Steps of these calls, in order. */
  steps: readonly number[];
  /** Whether a later call of the tool passes the field. */
  isPassedLater: boolean;
}

/** The fields that the failed calls of a tool lacked, each once, in the order of the run. */
function fieldsIn(trace: Trace, failures: readonly Failure[]): readonly MissingField[] {
  const uses = toolUses(trace);
  const lacking = failures.flatMap(({ step, what, text }) => {
    const use = what === 'tool' ? uses.find((one) => one.step === step) : undefined;
    return use === undefined ? [] : missingFields(use, text.message).map((field) => ({ field, use }));
  });
  const groups = Map.groupBy(lacking, ({ field }) => field);
  return [...groups].map(([field, calls]) => {
    const last = calls.at(-1)!.use;
    const isPassing = (use: ToolUse) =>
      use.name === last.name && use.step > last.step && passesField(use.arguments, field);
    return { field, steps: calls.map(({ use }) => use.step), isPassedLater: uses.some(isPassing) };
  });
}

/** Which calls lacked which fields, as a sentence with a leading space; empty for fewer than two fields. */
export function missingFieldsText(trace: Trace, failures: readonly Failure[]): string {
  const fields = fieldsIn(trace, failures);
  if (fields.length < 2) return '';
  const parts = [...bySteps(fields)].map(([steps, names]) => `${joined(names)} (${steps})`);
  return ` The calls lacked required fields: ${parts.join(', ')}.`;
}

/**
 * Advice on all fields that no later call of the tool passes; null if the calls lacked fewer than two, because the error
 * names a single one.
 */
export function missingFieldsAdvice(
  trace: Trace,
  failures: readonly Failure[],
): { action: string; fields: readonly string[] } | null {
  const [first] = failures;
  const fields = fieldsIn(trace, failures);
  const open = fields.filter(({ isPassedLater }) => !isPassedLater);
  if (first === undefined || fields.length < 2 || open.length === 0) return null;
  const them = open.length === 1 ? 'it' : 'them';
  const groups = bySteps(open);
  const calls = [...groups].map(
    ([steps, names]) =>
      `${steps} ${steps.startsWith('step ') ? 'lacks' : 'lack'} ${groups.size === 1 ? them : joined(names)}`,
  );
  const names = open.map(({ field }) => field);
  const isRequired = names.every((name) => isDeclaredRequired(trace, first.name, name));
  const check = isRequired
    ? `reject calls that its schema does not allow before they run: the schema requires ${them}, and`
    : `mark ${them} as required in the schema:`;
  const action = `Have ${first.agent ?? 'the agent'} pass ${joined(names)} to ${first.name}, and ${check} ${calls.join(', ')}.`;
  return { action, fields: names };
}

/** Whether later calls of the tool passed every field that a call lacked: another fault remains. */
export function passesAllLater(trace: Trace, failures: readonly Failure[]): boolean {
  const fields = fieldsIn(trace, failures);
  return fields.length > 0 && fields.every(({ isPassedLater }) => isPassedLater);
}

/** Names of the fields by the steps that lack them: `steps 30 and 34`. */
function bySteps(fields: readonly MissingField[]): ReadonlyMap<string, string[]> {
  const groups = Map.groupBy(fields, ({ steps }) => stepsText(steps));
  return new Map([...groups].map(([steps, group]) => [steps, group.map(({ field }) => field)]));
}
