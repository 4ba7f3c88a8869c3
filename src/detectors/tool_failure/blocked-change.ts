import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import type { FailureClass } from '../_readings/calls/failure-cause.ts';
import { classifyFailure } from '../_readings/calls/failure-class.ts';

/** A change that a tool rejected after the run itself had changed the state of the record. */
export interface BlockedChange {
  rejected: ToolUse;
  /** The earlier change of the same record. */
  cause: ToolUse;
  /** As in both calls. */
  id: string;
  /** A field of the record that the earlier change set, although no argument asked for it. */
  field: string;
  before: { value: string; step: number };
  after: string;
}

const MAX_RECORDS = 2000;
const MIN_ID_LENGTH = 4;
const MAX_ID_LENGTH = 64;
const MAX_STATE_LENGTH = 60;

/** Failures that say something about the record; the others are about the arguments or the service. */
const ABOUT_RECORD: ReadonlySet<FailureClass> = new Set(['declined', 'other']);

/** The first change of each record that was rejected like this and never accepted later. */
export function blockedChanges(trace: Trace): BlockedChange[] {
  const uses = toolUses(trace).filter(({ command }) => command === null);
  if (!isWhole(trace) || !uses.some(isRejected)) return [];
  const found = new Map<string, BlockedChange>();
  for (const rejected of uses.filter(isRejected)) {
    for (const id of idsOf(rejected)) {
      const own = uses.filter((use) => idsOf(use).includes(id));
      const same = own.filter(({ name }) => name === rejected.name);
      if (found.has(id) || same.some((use) => use.step > rejected.step && !use.isError)) continue;
      const blocked = blockedBy(uses, own, rejected, id);
      // A call that was rejected before the change as well has another cause.
      if (blocked !== null && !same.some((use) => use.step < blocked.cause.step && use.isError)) found.set(id, blocked);
    }
  }
  return [...found.values()];
}

function isRejected({ changesState, failure, refusal }: ToolUse): boolean {
  return changesState && failure !== null && refusal === null && ABOUT_RECORD.has(classifyFailure(failure));
}

function idsOf({ arguments: args }: ToolUse): string[] {
  if (!isJsonObject(args)) return [];
  return Object.values(args).filter(
    (value): value is string =>
      typeof value === 'string' && /\d/.test(value) && value.length >= MIN_ID_LENGTH && value.length <= MAX_ID_LENGTH,
  );
}

function blockedBy(
  uses: readonly ToolUse[],
  own: readonly ToolUse[],
  rejected: ToolUse,
  id: string,
): BlockedChange | null {
  for (const cause of own.filter((use) => use.changesState && !use.isError && use.step < rejected.step)) {
    const after = recordOf(cause, id);
    const known = uses.filter((use) => !use.isError && use.step < cause.step);
    const before = known.map((use) => ({ step: use.step, values: recordOf(use, id) })).findLast(({ values }) => values);
    if (after === null || before === undefined) continue;
    const field = setField(before.values!, after, cause);
    if (field !== null)
      return {
        rejected,
        cause,
        id,
        field,
        before: { value: before.values!.get(field)!, step: before.step },
        after: after.get(field)!,
      };
  }
  return null;
}

/** The first field that differs and whose new value no argument contains. */
function setField(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  { argumentsText }: ToolUse,
): string | null {
  for (const [field, value] of after) {
    const old = before.get(field);
    const isState = value.length <= MAX_STATE_LENGTH && /\p{L}/u.test(value) && !TIME.test(value);
    if (old !== undefined && old !== value && isState && !argumentsText.includes(value)) return field;
  }
  return null;
}

const TIME = /\d{4}-\d\d-\d\d|\d\d:\d\d/;

/** The text fields of the object with this id in a result; null if no object has it. */
function recordOf({ resultText }: ToolUse, id: string): ReadonlyMap<string, string> | null {
  if (!resultText.includes(id) || !/^\s{0,20}[[{]/.test(resultText)) return null;
  const open: Json[] = [parseJson(resultText) ?? null];
  for (let read = 0; read < open.length && read < MAX_RECORDS; read += 1) {
    const value = open[read]!;
    if (Array.isArray(value)) open.push(...value);
    if (!isJsonObject(value)) continue;
    const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (texts.length > 1 && texts.some(([, text]) => text === id)) return new Map(texts);
    open.push(...Object.values(value));
  }
  return null;
}
