import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { capitalized, joined } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { type Quantity, quantitiesIn } from '../_readings/conduct/quantities.ts';
import { ruleFix } from '../_readings/conduct/remedy.ts';
import { scheduleIn } from '../_readings/conduct/schedules.ts';

export interface ChangedQuantity {
  step: number;
  agent: string | null;
  requested: Quantity;
  given: Quantity;
  /** A quantity of the same unit that the answer keeps. */
  kept: Quantity;
  /** The numbered units that the schedule of the answer gives to the thing; omitted if the answer states the quantity. */
  scheduled?: readonly number[];
  /** The first agent turn with the changed quantity: the answer itself, or an earlier turn. */
  origin: ConversationTurn;
}

/** Minimum number of named things with a quantity of one unit in the task; fewer are not a list that an answer copies. */
const MIN_REQUESTED = 2;

/**
 * The task gives a quantity for each of several named things, and the answer keeps one of them but changes another of the
 * same unit. Null if a later user message names the changed thing, if the parts in the answer add up, or if a tool returned
 * this number for the thing.
 */
export function changedQuantity(trace: Trace): ChangedQuantity | null {
  const answer = agentTurns(trace).at(-1);
  if (!hasKnownEnd(trace) || answer === undefined || answer.calls.length > 0) return null;
  const requested = requestedQuantities(trace);
  if (requested.length < MIN_REQUESTED) return null;
  const user = conversation(trace).filter(({ by }) => by === 'user');
  const given = quantitiesIn(answer.text, new Set(requested.map(({ name }) => name)));
  const later = user.slice(1).map(({ text }) => text.toLowerCase());
  for (const group of Map.groupBy(requested, ({ unit }) => unit).values()) {
    if (group.length < MIN_REQUESTED) continue;
    const kept = group.find((one) => given.some((other) => isSameQuantity(other, one) && other.value === one.value));
    const changed = group.find((one) => isChanged(one, given) && !later.some((text) => text.includes(one.name)));
    if (kept === undefined || changed === undefined) continue;
    const other = given.find((one) => isSameQuantity(one, changed))!;
    if (isResult(trace, other)) continue;
    const origin = agentTurns(trace).find(({ text }) => containsQuantity(text, other)) ?? answer;
    return { step: answer.step, agent: answer.agent, requested: changed, given: other, kept, origin };
  }
  return shortened(answer, requested, given, later);
}

/**
 * A schedule with numbered units (`Day 1 to 4: Oslo`) that gives fewer of them to a thing than the task requests, counted so
 * that it cannot be more, and at least the requested number to another thing.
 */
function shortened(
  answer: ConversationTurn,
  requested: readonly Quantity[],
  stated: readonly Quantity[],
  later: readonly string[],
): ChangedQuantity | null {
  for (const [unit, group] of Map.groupBy(requested, (one) => one.unit)) {
    const names = group.map(({ name }) => name);
    const schedule = names.length < MIN_REQUESTED ? null : scheduleIn(answer.text, unit, names);
    if (schedule === null) continue;
    const kept = group.find(({ name, value }) => schedule.get(name)!.size >= value);
    const short = group.find((one) => {
      const { size } = schedule.get(one.name)!;
      const isStated = stated.some((other) => isSameQuantity(other, one) && other.value === one.value);
      return size > 0 && size < one.value && !isStated && !later.some((text) => text.includes(one.name));
    });
    if (kept === undefined || short === undefined) continue;
    const scheduled = [...schedule.get(short.name)!].sort((a, b) => a - b);
    const quote = `${unit} ${joined(scheduled)}`;
    const given = { ...short, value: scheduled.length, quote };
    return { step: answer.step, agent: answer.agent, requested: short, given, kept, origin: answer, scheduled };
  }
  return null;
}

/** Quantities of named things in the task. */
export function requestedQuantities(trace: Trace): Quantity[] {
  const task = trace.task ?? conversation(trace).find(({ by }) => by === 'user')?.text;
  return task === undefined ? [] : unambiguous(quantitiesIn(task));
}

/** Quantities whose name has a single value per unit. */
function unambiguous(quantities: readonly Quantity[]): Quantity[] {
  const groups = Map.groupBy(quantities, ({ name, unit }) => `${name} ${unit}`);
  return [...groups.values()]
    .filter((same) => same.every(({ value }) => value === same[0]!.value))
    .map(([one]) => one!);
}

function isSameQuantity(given: Quantity, requested: Quantity): boolean {
  return given.name === requested.name && given.unit === requested.unit;
}

function isChanged(requested: Quantity, given: readonly Quantity[]): boolean {
  const values = given.filter((one) => isSameQuantity(one, requested)).map(({ value }) => value);
  const isSum = values.reduce((sum, value) => sum + value, 0) === requested.value;
  return values.length > 0 && !values.includes(requested.value) && !isSum;
}

function isResult(trace: Trace, { name, value, unit }: Quantity): boolean {
  return toolUses(trace).some(({ resultText }) => containsQuantity(resultText, { name, value, unit }));
}

function containsQuantity(text: string, { name, value, unit }: Omit<Quantity, 'quote'>): boolean {
  // Most texts do not contain the unit, and a search is faster than reading all quantities.
  if (!text.includes(unit) && !text.includes(capitalized(unit))) return false;
  return quantitiesIn(text, new Set([name])).some(
    (one) => one.name === name && one.value === value && one.unit === unit,
  );
}

export function changedQuantityDetection(
  trace: Trace,
  { step, agent, requested, given, kept, origin, scheduled }: ChangedQuantity,
): DetectionDraft<'changed_quantity'> {
  const name = agent ?? trace.steps[step]!.name;
  const isEarlier = origin.step !== step;
  const author = origin.agent ?? trace.steps[origin.step]!.name;
  return {
    subtype: 'changed_quantity',
    score: 0.72,
    step: origin.step,
    steps: [...new Set([origin.step, step])],
    agent: origin.agent,
    explanation: `The task says "${requested.quote}", and the answer of ${name} at step ${step} ${scheduled === undefined ? `says "${given.quote}". It keeps another quantity of the task ("${kept.quote}") unchanged.` : `names ${capitalized(requested.name)} in no more than ${scheduled.length} of its numbered ${requested.unit}s (${given.quote}). It keeps another quantity of the task ("${kept.quote}").`}${isEarlier ? ` ${author} set the other quantity first, at step ${origin.step}.` : ''}`,
    suggestedAction: `Have ${author} keep "${requested.quote}" in what it writes at step ${origin.step}, or ask the user which quantity may change; compare each quantity of its output with the task before the next step runs.`,
    evidence: [
      { kind: 'output', spanId: trace.steps[step]!.spanId, path: 'output', quote: given.quote, value: requested.quote },
    ],
    fixes: [
      ruleFix(trace, origin.agent, {
        title: 'Check the quantities last',
        rule: `Before you answer, compare each quantity with the task (here: "${requested.quote}"). If one cannot be kept, say so and ask.`,
        why: `The task gives ${requested.value} and the answer ${given.value}.`,
      }),
    ],
    key: 'quantity',
  };
}
