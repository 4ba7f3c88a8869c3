import type { Trace } from '../../core/trace.ts';
import { isComplete } from '../_kit/completeness.ts';
import { systemPrompt } from '../_kit/prompt-rule.ts';
import { cut } from '../_kit/text.ts';
import { isLookup } from '../_readings/calls/calls.ts';
import { plainName } from '../_readings/calls/tool-names.ts';
import type { Attempt } from '../_readings/conduct/attempts.ts';
import { namedCalls } from '../_readings/conduct/named-calls.ts';
import { isOn, lastStateOf, subjectOf } from '../_readings/conduct/subject-state.ts';

/** Names of calls that hand the run over: the only evidence in a run of a single agent. */
export const HANDOFF_NAME = /transfer|hand_?(?:off|over)|escalat/i;
const MAX_UNTRIED = 3;
const MAX_SHOWN_STATES = 3;

/**
 * The calls of the instructions that the run never made, with what its results state about their subjects.
 *
 * @param handled calls that are named elsewhere, or whose state is already as the instructions require
 */
export function untriedText(
  trace: Trace,
  attempts: readonly Attempt[],
  { by }: Attempt,
  { agent }: Attempt,
  changes: readonly Attempt[],
  handled: ReadonlySet<string>,
): string {
  const who = agent ?? 'the agent';
  const parts = namedCalls(trace, agent, by)
    .filter((name) => !handled.has(name) && !attempts.some((one) => one.by === name))
    .map((name) => ({ name, state: lastStateOf(attempts, subjectOf(name)) }));
  const declared = declaredChanges(
    trace,
    attempts,
    parts.map(({ name }) => name),
  );
  // A switch that is on would be turned off. A look-up would only show the known state again.
  const known = parts
    .filter(({ name, state }) => state !== null && !isLookup(name) && !isOn(state.text))
    .slice(0, MAX_SHOWN_STATES);
  const open = firstOfSubject(parts.filter(({ state }) => state === null));
  // A call such as `run_test` checks something and changes nothing.
  const named = open.filter(({ name }) => CHANGING_NAME.test(plainName(name)));
  const changing =
    named.length > 0 ? named : open.filter(({ name }) => !isLookup(name) && !CHECK_NAME.test(plainName(name)));
  const unknown = (changing.length + known.length + declared.length > 0 ? changing : open).slice(0, MAX_UNTRIED);
  const never = isComplete(trace) ? 'that were never called' : 'of which no call is recorded';
  const tools = declared.length === 0 ? '' : ` Declared tools ${never}: ${declared.join(', ')}.`;
  if (unknown.length + known.length === 0)
    return `, and have ${who} look for a cause that these changes do not reach${stillShownText(changes)}.${tools}`;
  const texts = [
    ...(unknown.length === 0
      ? []
      : [`${unknown.map(({ name }) => name).join(', ')}, about whose subject no result says anything`]),
    ...known.map(({ name, state }) => `${name} (step ${state!.step} shows "${state!.text}")`),
  ];
  return `. The instructions of ${who} name calls ${isComplete(trace) ? 'that this run never made' : 'of which none is recorded'}: ${texts.join('; ')}.${tools}`;
}

/** Declared tools of any party that change something and that the run never called, without those in `listed`. */
function declaredChanges(
  { toolDefinitions }: Trace,
  attempts: readonly Attempt[],
  listed: readonly string[],
): readonly string[] {
  const known = new Set([...listed, ...attempts.map(({ by }) => by)]);
  return toolDefinitions
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && CHANGING_NAME.test(plainName(name)) && !HANDOFF_NAME.test(name))
    .slice(0, MAX_DECLARED);
}

const MAX_DECLARED = 5;
/** Verbs of tools that change a setting or a record. */
const CHANGING_NAME =
  /^(?:enable|disable|set|reset|toggle|switch|turn|connect|disconnect|activate|deactivate|resume|suspend|restart|reboot|start|stop|grant|revoke|update|change|add|remove|repair|replace|refill|refuel|apply|clear)_/i;

const CHECK_NAME = /_(?:test|check|probe)$/i;

/** One call for each subject: the look-up, if there is one. */
function firstOfSubject<T extends { name: string }>(parts: readonly T[]): T[] {
  const groups = Map.groupBy(parts, ({ name }) => subjectOf(name).join(' '));
  return [...groups.values()].map((group) => group.find(({ name }) => isLookup(name)) ?? group[0]!);
}

const MAX_FIELDS = 4;

/** What no change altered: the lines and fields that the results of all changes share, or the last result. */
function stillShownText(changes: readonly Attempt[]): string {
  const shared = sharedFields(changes);
  if (shared.length > 0) return `, first in what the results of all of them still show: ${quotedFields(shared)}`;
  const last = changes.at(-1)!;
  return last.result.trim() === '' ? '' : `, first in what step ${last.step} still shows`;
}

/** Fields that no change altered. */
export interface Unaltered {
  /** Quoted, with commas between them. */
  shown: string;
  /** The first one. */
  first: string;
  /** A tool that is named after the subject of the fields and made none of the changes; null if none is known. */
  tool: string | null;
}

/**
 * Fields that no change altered and that a tool could have changed, by the subject of its name; null without such fields.
 * If no tools are known, every such field counts.
 */
export function unalteredFields(trace: Trace, agent: string | null, changes: readonly Attempt[]): Unaltered | null {
  const names = new Set([...namesInInstructions(trace, agent), ...trace.toolDefinitions.map(({ name }) => name)]);
  const tools = [...names].filter(
    (name) => CHANGING_NAME.test(plainName(name)) && !changes.some(({ by }) => by === name),
  );
  const toolOf = (field: string) =>
    tools.find((name) => lastStateOf([{ ...changes[0]!, result: field }], subjectOf(name)) !== null);
  const shared = sharedFields(changes).filter((field) => tools.length === 0 || toolOf(field) !== undefined);
  return shared.length === 0
    ? null
    : { shown: quotedFields(shared), first: shared[0]!, tool: toolOf(shared[0]!) ?? null };
}

const PROMPT_CHARACTERS = 60_000;
const IDENTIFIER = /\b[a-z]{2,20}(?:_[a-z0-9]{1,30}){1,6}\b/g;

/** Identifiers in the instructions of an agent, such as `open_ticket`: names of tools for senders that declare none. */
export function namesInInstructions(trace: Trace, agent: string | null): string[] {
  return systemPrompt(trace, agent)?.slice(0, PROMPT_CHARACTERS).match(IDENTIFIER) ?? [];
}

function quotedFields(fields: readonly string[]): string {
  return fields.map((field) => `"${cut(field, 60)}"`).join(', ');
}

/** The lines and fields that the results of all changes share, without those that say that something is on. */
function sharedFields(changes: readonly Attempt[]): string[] {
  const fields = changes.map(({ result }) => new Set(fieldsOf(result)));
  // A result of one field is an acknowledgement.
  if (changes.length < 2 || fields.some(({ size }) => size < 2)) return [];
  return [...fields[0]!].filter((field) => fields.every((one) => one.has(field)) && !isOn(field)).slice(0, MAX_FIELDS);
}

/** The lines and fields of a result that contain a letter. */
export function fieldsOf(result: string): string[] {
  return result
    .slice(0, READ_CHARACTERS)
    .split(/[\n|]/)
    .map((field) => field.trim())
    .filter((field) => /\p{L}/u.test(field));
}

const READ_CHARACTERS = 4_000;
