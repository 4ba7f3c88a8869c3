import type { Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { isStepLimit } from '../_readings/calls/run-errors.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { type Turn, turnsOf } from '../_readings/repeats/actors.ts';
import { loopGuard } from './fixes.ts';
import { stepLimitFixes } from './step-limit-fix.ts';

const LIMIT_NUMBER =
  /(?:limit of |max (?:turns|steps|iterations) \(|maximum (?:turns|steps|iterations) \(|max_turns\W{1,3}|max_steps\W{1,3})(\d{1,6})/i;

/** What the framework counts. They are not the steps of the trace, whose numbers the explanation uses. */
function limitUnit(message: string): string {
  if (/turns/i.test(message)) return 'turns';
  return /iterations/i.test(message) ? 'iterations' : 'graph steps';
}

/** A run that its framework stopped at the step limit. The cause is the cycle of nodes at its end. */
export function findRecursionLimit(
  trace: Trace,
  { models }: DetectorOptions,
): DetectionDraft<'recursion_limit'> | null {
  const cutOff = trace.steps.find((step) => step.error !== null && isStepLimit(step.error));
  if (cutOff === undefined) return null;
  const message = `${cutOff.error!.type} ${cutOff.error!.message.slice(0, 500)}`;
  const limit = LIMIT_NUMBER.exec(message)?.[1] ?? null;
  const cycle = cycleAtEnd(turnsInside(trace, cutOff));
  const limitText = limit === null ? 'its limit' : `its limit of ${limit} ${limitUnit(message)}`;
  const path = cycle === null ? cutOff.name : cycle.actors.join(' → ');
  const repeated = cycle === null ? [cutOff.index] : cycle.turns.map((turn) => turn.step);
  const rounds = cycle?.rounds ?? 1;
  const decisive = cycle?.turns[cycle.actors.length]?.step ?? cutOff.index;
  return {
    subtype: 'recursion_limit',
    score: cycle === null ? 0.9 : 0.97,
    step: decisive,
    steps: repeated,
    agent: cycle?.actors[0] ?? cutOff.agent,
    explanation:
      cycle === null
        ? `${cutOff.name} was stopped at ${limitText} before it finished: nothing in the workflow ended the run earlier.`
        : `The cycle ${path} ran ${counted(rounds, 'time')} until the framework stopped the run at ${limitText}. Nothing in the cycle ended it, so the run returned no result. Each round started at ${cycle.actors[0]}.`,
    suggestedAction: exitText(cycle, cutOff.name),
    evidence: [
      {
        kind: 'error',
        spanId: cutOff.spanId,
        path: 'error',
        quote: cut(cutOff.error!.message, 300),
        value: limit === null ? null : Number(limit),
      },
      ...(cycle?.turns ?? []).slice(0, 6).map((turn) => ({
        kind: 'node_cycle',
        spanId: trace.steps[turn.step]!.spanId,
        path: null,
        quote: turn.actor,
        value: null,
      })),
    ],
    ...wasteOf(trace, repeated.slice(cycle?.actors.length ?? 0), models),
    fixes: [
      loopGuard({ trace, agent: cycle?.actors[0] ?? cutOff.agent, what: path, times: rounds }),
      ...(limit === null ? [] : stepLimitFixes(trace, path, Number(limit), cycle?.rounds ?? null)),
    ],
    key: cycle === null ? cutOff.name : [...cycle.actors].sort().join(' '),
  };
}

/** Turns below the step that was stopped; all turns if it has no children. */
function turnsInside(trace: Trace, cutOff: Step): Turn[] {
  const inside = new Set([cutOff.index]);
  for (const step of trace.steps) if (step.parent !== null && inside.has(step.parent)) inside.add(step.index);
  const turns = turnsOf(trace).filter((turn) => turn.step !== cutOff.index);
  const below = turns.filter((turn) => inside.has(turn.step));
  return below.length > 0 ? below : turns;
}

interface ActorCycle {
  actors: string[];
  turns: Turn[];
  rounds: number;
}

/** The shortest pattern of actors that occurs at least twice at the end of the sequence. */
function cycleAtEnd(turns: readonly Turn[]): ActorCycle | null {
  let best: ActorCycle | null = null;
  for (let period = 1; period <= turns.length / 2; period += 1) {
    let length = period;
    while (
      length < turns.length &&
      turns[turns.length - 1 - length]!.actor === turns[turns.length - 1 - length + period]!.actor
    ) {
      length += 1;
    }
    const rounds = Math.floor(length / period);
    if (rounds < 2) continue;
    const members = turns.slice(turns.length - length);
    const candidate = { actors: members.slice(0, period).map((turn) => turn.actor), turns: members, rounds };
    if (best === null || members.length > best.turns.length) best = candidate;
  }
  return best;
}

/** The edge at which the cycle repeats, and the output of its last round. */
function exitText(cycle: ActorCycle | null, name: string): string {
  if (cycle === null)
    return `Add a condition to ${name} that ends the run before its limit; a higher limit only makes it longer.`;
  const [first, last] = [cycle.actors[0]!, cycle.actors.at(-1)!];
  const answers = cycle.turns.filter(({ output }) => output.trim() !== '').slice(-cycle.actors.length);
  const shown = answers.map(({ actor, output }) => `${actor}: "${cut(oneLine(output), 60)}"`).join(', ');
  return `Put a condition on the edge from ${last} back to ${first} that ends the run${shown === '' ? '' : `, for example when the last round (${shown}) returns nothing new`}; a higher limit only makes the run longer.`;
}
