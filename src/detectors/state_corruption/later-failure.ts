import { isJsonObject, type Json } from '../../core/json.ts';
import type { Step } from '../../core/trace.ts';
import { leafName } from './field.ts';

const MISSING_VALUE_ERROR =
  /NoneType|KeyError|AttributeError|TypeError|undefined|is null|of null|null pointer|NullPointer|missing|required|not found in state/i;
const MIN_NAME_LENGTH = 3;
/** Values that programs write in place of a missing field. */
const MISSING_VALUES = new Set<Json>([null, '', 'None', 'undefined', 'null', 'NaN', '[object Object]']);

/**
 * Whether a fault in a field affects a later step: the step fails because of a missing or wrong value and names the field, or a
 * call passes an argument of that name without a value.
 */
export function failsLaterStep(path: string, from: number, steps: readonly Step[]): boolean {
  const name = leafName(path);
  if (name.length < MIN_NAME_LENGTH) return false;
  return steps.some((step) => step.index >= from && (failsBecauseOf(name, step) || isCalledWithout(name, step)));
}

function failsBecauseOf(name: string, { error }: Step): boolean {
  if (error === null) return false;
  const text = `${error.type} ${error.message}`;
  return text.includes(name) && MISSING_VALUE_ERROR.test(text);
}

function isCalledWithout(name: string, { tool }: Step): boolean {
  const args = tool?.arguments ?? null;
  return isJsonObject(args) && Object.hasOwn(args, name) && MISSING_VALUES.has(args[name]!);
}
