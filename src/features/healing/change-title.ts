import { truncate } from '../../core/bounded-errors.ts';
import { isJsonObject, type Json, parseJson } from '../../core/json.ts';

/** What a title is made of: one change of a request. */
interface NamedChange {
  target: string;
  after: string;
}

const TITLE_CHARACTERS = 80;

/**
 * Title of a plan with changes of its own: `Set limit to 6` for a JSON patch of one number, else the named target.
 *
 * @param nameOf the name of the part at a JSON Pointer
 */
export function changeTitle(changes: readonly NamedChange[], nameOf: (pointer: string) => string = nameAt): string {
  const [first] = changes;
  const what = first === undefined ? null : (patchTitle(first.after, nameOf) ?? targetTitle(first.target));
  if (what === null) return 'Custom change';
  const others = changes.length - 1;
  return others === 0 ? what : `${what}, and ${others} more ${others === 1 ? 'change' : 'changes'}`;
}

function targetTitle(target: string): string | null {
  return target === '' ? null : `Change ${shortened(target)}`;
}

function nameAt(pointer: string): string {
  return pointer.replace(/^\//, '').replaceAll('/', ' › ');
}

function patchTitle(after: string, nameOf: (pointer: string) => string): string | null {
  const patch = after.startsWith('[') ? parseJson(after) : undefined;
  const steps: readonly Json[] = Array.isArray(patch) ? patch : [];
  const [step] = steps;
  if (steps.length !== 1 || step === undefined || !isJsonObject(step) || typeof step.path !== 'string') return null;
  const name = shortened(nameOf(step.path));
  if (step.op === 'remove') return `Remove ${name}`;
  // A text may be a secret that only its name gives away.
  const isValue = ['number', 'boolean'].includes(typeof step.value);
  return isValue ? `Set ${name} to ${String(step.value)}` : `Change ${name}`;
}

function shortened(text: string): string {
  return truncate(text.replace(/\s+/g, ' ').trim(), TITLE_CHARACTERS);
}
