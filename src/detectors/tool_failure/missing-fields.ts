import { isJsonObject, type Json } from '../../core/json.ts';
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
  /** A field that the rejected object has instead, with a name that means the same; null if there is none. */
  passedAs: string | null;
  /** Whether a later call of the tool passes the field. */
  isPassedLater: boolean;
}

/** The fields that the failed calls of a tool lacked, each once, in the order of the run. */
function fieldsIn(trace: Trace, failures: readonly Failure[]): readonly MissingField[] {
  const uses = toolUses(trace);
  const lacking = failures.flatMap(({ step, what, text }) => {
    const use = what === 'tool' ? uses.find((one) => one.step === step) : undefined;
    return use === undefined
      ? []
      : missingFields(use, text.message).map((field) => ({
          field,
          use,
          passedAs: otherName(use.arguments, field, text.message),
        }));
  });
  const groups = Map.groupBy(lacking, ({ field }) => field);
  return [...groups].map(([field, calls]) => {
    const last = calls.at(-1)!.use;
    const isPassing = (use: ToolUse) =>
      use.name === last.name && use.step > last.step && passesField(use.arguments, field);
    const { passedAs } = calls[0]!;
    return {
      field,
      steps: calls.map(({ use }) => use.step),
      passedAs: calls.every((call) => call.passedAs === passedAs) ? passedAs : null,
      isPassedLater: uses.some(isPassing),
    };
  });
}

/** Which calls lacked which fields, as a sentence with a leading space; empty for fewer than two fields. */
export function missingFieldsText(trace: Trace, failures: readonly Failure[]): string {
  const fields = fieldsIn(trace, failures);
  if (fields.length < 2) return '';
  const parts = [...bySteps(fields)].map(([steps, names]) => `${joined(names)} (${steps})`);
  return ` The calls lacked required fields: ${parts.join(', ')}.${otherNamesText(fields)}`;
}

/** Which fields the calls have under another name, as a sentence with a leading space. */
function otherNamesText(fields: readonly MissingField[]): string {
  const parts = fields.flatMap(({ field, passedAs }) =>
    passedAs === null ? [] : [`${passedAs} in place of ${field}`],
  );
  return parts.length === 0 ? '' : ` They have ${joined(parts)}.`;
}

/**
 * The field of an object without `field` whose name has the same end or initials (`id` for `payment_id`, `date_of_birth` for
 * `dob`), if the error quotes its name or its value.
 */
function otherName(value: Json, field: string, message: string): string | null {
  if (Array.isArray(value)) return firstName(value, field, message);
  if (!isJsonObject(value)) return null;
  const isQuoted = (name: string) =>
    message.includes(`'${name}'`) || (typeof value[name] === 'string' && message.includes(`'${value[name]}'`));
  const names = value[field] === undefined ? Object.keys(value) : [];
  const own = names.find((name) => meansSame(name, field) && isQuoted(name));
  return own ?? firstName(Object.values(value), field, message);
}

function firstName(values: readonly Json[], field: string, message: string): string | null {
  for (const each of values) {
    const found = otherName(each, field, message);
    if (found !== null) return found;
  }
  return null;
}

function meansSame(one: string, other: string): boolean {
  return (
    one.endsWith(`_${other}`) || other.endsWith(`_${one}`) || initialsOf(one) === other || initialsOf(other) === one
  );
}

/** The first letters of the words of a name with several words; else empty. */
function initialsOf(name: string): string {
  const parts = name.split('_');
  return parts.length < 2 ? '' : parts.map((part) => part.charAt(0)).join('');
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
  const passed = open.map(({ field, passedAs }) => (passedAs === null ? field : `${field} (not ${passedAs})`));
  const isRequired = names.every((name) => isDeclaredRequired(trace, first.name, name));
  const check = isRequired
    ? `reject calls that its schema does not allow before they run: the schema requires ${them}, and`
    : `mark ${them} as required in the schema:`;
  const action = `Have ${first.agent ?? 'the agent'} pass ${joined(passed)} to ${first.name}, and ${check} ${calls.join(', ')}.`;
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
