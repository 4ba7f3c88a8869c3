import type { Thresholds } from '../../core/thresholds.ts';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { outputPunctuation } from '../_kit/punctuation-hash.ts';
import { textKey, wordOverlap, words } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { stateChanges } from '../_readings/conduct/state-change.ts';
import type { Turn } from '../_readings/repeats/actors.ts';
import { turnsIn } from '../_readings/repeats/turns.ts';

/** The output of a turn, and the key for comparing it. */
export interface ComparedTurn extends Turn {
  /** Equal for two turns of an actor with the same output; unique if the trace does not show the output. */
  key: string;
  /** Whether the turn only names the next actor, which says nothing about progress. */
  isRouting: boolean;
  /** False if the trace does not show the output of the turn. */
  isKnown: boolean;
  hasText: boolean;
  hasCalls: boolean;
  /** False if no state was recorded in the turn. */
  hasState: boolean;
  /** State changes except counters; null if no state or only the first one was recorded. */
  stateChange: string | null;
  /** Hash of the state after the turn. */
  stateHash: string | null;
}

/**
 * Turns with keys: actor, text, calls with results, and state changes. After a new user message, every turn is new. At the
 * default threshold only equal texts match.
 */
export function compareTurns(
  trace: Trace,
  turns: readonly Turn[],
  { semanticThreshold }: Pick<Thresholds, 'semanticThreshold'>,
): ComparedTurn[] {
  const actors = new Set(turns.map(({ actor }) => actor.toLowerCase()));
  const similarText =
    semanticThreshold < DEFAULT_THRESHOLDS.semanticThreshold ? similarTextFinder(semanticThreshold) : null;
  const uses = usesByTurn(trace, turns);
  const states = statesByTurn(trace, turns);
  const hashes = new Map(trace.states.map(({ step, stateHash }) => [step, stateHash]));
  const userTurns = turnsIn(trace).user;
  const punctuation = turns.map(({ actor, outputStep }) => `${actor} ${outputPunctuation(trace.steps[outputStep]!)}`);
  const times = new Map<string, number>();
  for (const mark of punctuation) times.set(mark, (times.get(mark) ?? 0) + 1);
  let request = 0;
  const compared = turns.map((turn, at): ComparedTurn => {
    while (request < userTurns.length && userTurns[request]! < turn.step) request += 1;
    // Most texts of a run occur once. A hash of their punctuation shows this at low cost.
    const mayRepeat = similarText !== null || times.get(punctuation[at]!)! > 1;
    const text = mayRepeat ? withoutVolatile(turn.output) : turn.output.trim();
    const known = {
      hasText: text !== '',
      hasCalls: uses[at]!.length > 0,
      hasState: states[at] !== undefined,
      stateChange: states[at] ?? null,
      stateHash: hashes.get(turn.step) ?? null,
    };
    const isRouting = isRoutingStep(trace, turn, text, actors);
    const isKnown = known.hasText || known.hasCalls || known.hasState || isRouting;
    const outputOfTurn = () =>
      `${similarText?.(turn.actor, text) ?? text}\n${trace.steps[turn.step]!.goto.join(' ')}\n${callsOf(uses[at]!)}\n${states[at] ?? ''}`;
    const key = isKnown && mayRepeat ? `${request} ${turn.actor} ${textKey(outputOfTurn())}` : `#${at}`;
    return { ...turn, ...known, key, isRouting, isKnown };
  });
  return withFirstStates(compared, states);
}

/** The first state of a run has no previous state. Its change is assumed to equal the change of the actor's next turn. */
function withFirstStates(turns: ComparedTurn[], states: readonly (string | null | undefined)[]): ComparedTurn[] {
  const first = states.indexOf(null);
  const turn = turns[first];
  if (turn === undefined) return turns;
  const next = turns.slice(first + 1).find(({ actor }) => actor === turn.actor);
  const isEqual = next !== undefined && withoutVolatile(next.output) === withoutVolatile(turn.output);
  return isEqual ? turns.with(first, { ...turn, key: next.key }) : turns;
}

const MAX_ROUTING_WORDS = 6;

/** Whether a step only routes: a short text that names an actor, or a step that only sets the next node. */
function isRoutingStep(trace: Trace, { step, actor }: Turn, text: string, actors: ReadonlySet<string>): boolean {
  const { goto } = trace.steps[step]!;
  if (text === '') return goto.length > 0;
  if (text.length > 200 || words(text).length > MAX_ROUTING_WORDS) return false;
  const named = text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return named.some((word) => word !== actor.toLowerCase() && actors.has(word));
}

/** Tool uses of each turn. */
function usesByTurn(trace: Trace, turns: readonly Turn[]): readonly ToolUse[][] {
  const uses = toolUses(trace);
  let at = 0;
  return turns.map((turn, position) => {
    const end = turns[position + 1]?.step ?? trace.steps.length;
    while (at < uses.length && uses[at]!.step < turn.step) at += 1;
    const from = at;
    while (at < uses.length && uses[at]!.step < end) at += 1;
    return uses.slice(from, at);
  });
}

function callsOf(uses: readonly ToolUse[]): string {
  return uses.map(({ name, argumentsText, resultHash }) => `${name} ${argumentsText} ${resultHash}`).join('\n');
}

/** Undefined if no state was recorded, null for the first one of a thread. */
function statesByTurn(trace: Trace, turns: readonly Turn[]): (string | null | undefined)[] {
  const changes = [...stateChanges(trace)].sort(([a], [b]) => a - b);
  let at = 0;
  return turns.map((turn, position) => {
    const end = turns[position + 1]?.step ?? trace.steps.length;
    let found: string | null | undefined;
    while (at < changes.length && changes[at]![0] < turn.step) at += 1;
    for (; at < changes.length && changes[at]![0] < end; at += 1) {
      const [, change] = changes[at]!;
      found = found === undefined ? change : `${found ?? ''}${change ?? ''}`;
    }
    return found;
  });
}

const MAX_TEXTS = 20;

/** Maps a text to the first similar text of the actor. */
function similarTextFinder(threshold: number): (actor: string, text: string) => string {
  const known = new Map<string, { text: string; words: ReadonlySet<string> }[]>();
  return (actor, text) => {
    const own = known.get(actor) ?? [];
    known.set(actor, own);
    const set = new Set(words(text));
    const similar = set.size === 0 ? undefined : own.find((other) => wordOverlap(other.words, set) >= threshold);
    if (similar !== undefined) return similar.text;
    if (own.length < MAX_TEXTS) own.push({ text, words: set });
    return text;
  };
}
