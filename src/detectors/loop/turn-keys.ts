import type { Thresholds } from '../../core/thresholds.ts';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { stateChanges } from '../_conduct/state-change.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { textKey, wordOverlap, words } from '../_kit/text.ts';
import type { Turn } from './actors.ts';
import { lastingMarks } from './lasting-marks.ts';
import { turnsIn } from './turns.ts';

/** What one turn brought, and what that was compared by. */
export interface ComparedTurn extends Turn {
  /** Equal for two turns of one actor that brought the same; unique where the trace does not show what a turn brought. */
  key: string;
  /** Only names who acts next: says nothing about progress. */
  isRouting: boolean;
  /** False if the trace does not show what the turn brought. */
  isKnown: boolean;
  hasText: boolean;
  hasCalls: boolean;
  /** False if no state was recorded in the turn. */
  hasState: boolean;
  /** What changed in the state but counters; null if no state or only the first was recorded. */
  stateChange: string | null;
  /** Of the state after the turn. */
  stateHash: string | null;
}

/**
 * Turns with keys: actor, text, calls with their results, and what changed in the state. A new message of the user
 * makes every later turn a new one. At the default threshold only equal texts are the same.
 */
export function compareTurns(
  trace: Trace,
  turns: readonly Turn[],
  { semanticThreshold }: Pick<Thresholds, 'semanticThreshold'>,
): ComparedTurn[] {
  const actors = new Set(turns.map(({ actor }) => actor.toLowerCase()));
  const alike = semanticThreshold < DEFAULT_THRESHOLDS.semanticThreshold ? likeTexts(semanticThreshold) : null;
  const uses = usesByTurn(trace, turns);
  const states = statesByTurn(trace, turns);
  const hashes = new Map(trace.states.map(({ step, stateHash }) => [step, stateHash]));
  const userTurns = turnsIn(trace).user;
  const marks = turns.map(({ actor, output }) => `${actor} ${lastingMarks(output)}`);
  const times = new Map<string, number>();
  for (const mark of marks) times.set(mark, (times.get(mark) ?? 0) + 1);
  let asked = 0;
  const compared = turns.map((turn, at): ComparedTurn => {
    while (asked < userTurns.length && userTurns[asked]! < turn.step) asked += 1;
    // Most texts of a run come once, and a look at their marks shows it.
    const mayRepeat = alike !== null || times.get(marks[at]!)! > 1;
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
    const brought = () =>
      `${alike?.(turn.actor, text) ?? text}\n${trace.steps[turn.step]!.goto.join(' ')}\n${callsOf(uses[at]!)}\n${states[at] ?? ''}`;
    const key = isKnown && mayRepeat ? `${asked} ${turn.actor} ${textKey(brought())}` : `#${at}`;
    return { ...turn, ...known, key, isRouting, isKnown };
  });
  return withFirstStates(compared, states);
}

/** The first state of a run has none before it: what its turn changed is taken to be what the actor's next turn changes. */
function withFirstStates(turns: ComparedTurn[], states: readonly (string | null | undefined)[]): ComparedTurn[] {
  const first = states.indexOf(null);
  const turn = turns[first];
  if (turn === undefined) return turns;
  const next = turns.slice(first + 1).find(({ actor }) => actor === turn.actor);
  const isAlike = next !== undefined && withoutVolatile(next.output) === withoutVolatile(turn.output);
  return isAlike ? turns.with(first, { ...turn, key: next.key }) : turns;
}

const MOST_ROUTING_WORDS = 6;

/** A short text that names an actor, or a step that only says where to go. */
function isRoutingStep(trace: Trace, { step, actor }: Turn, text: string, actors: ReadonlySet<string>): boolean {
  const { goto } = trace.steps[step]!;
  if (text === '') return goto.length > 0;
  if (text.length > 200 || words(text).length > MOST_ROUTING_WORDS) return false;
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

/** Undefined if no state was recorded, null for the first of a thread. */
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

const MOST_TEXTS = 20;

/** Maps a text to the first text of the actor that shares enough of its words. */
function likeTexts(threshold: number): (actor: string, text: string) => string {
  const known = new Map<string, { text: string; words: ReadonlySet<string> }[]>();
  return (actor, text) => {
    const own = known.get(actor) ?? [];
    known.set(actor, own);
    const set = new Set(words(text));
    const like = set.size === 0 ? undefined : own.find((other) => wordOverlap(other.words, set) >= threshold);
    if (like !== undefined) return like.text;
    if (own.length < MOST_TEXTS) own.push({ text, words: set });
    return text;
  };
}
