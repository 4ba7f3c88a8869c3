import { failed, type LangGraphFailure } from '../../platforms/langgraph/langgraph-client.ts';
import type { HistorySource, PagedState } from './history-source.ts';
import { MAX_NAMESPACES } from './state-outline.ts';

/** Relation of a state to the run. */
export type StateRole =
  | 'own'
  /** State of an earlier run: this one runs its tasks. */
  | 'resumed'
  /** State of another run, down to the one that this run began from: they show whether that was the newest. */
  | 'before';

export interface RunState extends PagedState {
  role: StateRole;
}

export interface RunHistory {
  kind: 'read';
  /** Newest first; then those of subgraphs, then those before it. */
  states: RunState[];
  /** The run's own object, if it resumed a state. */
  run: Buffer | null;
  /** There were too many. */
  isCut: boolean;
}

interface OuterHistory {
  kind: 'read';
  own: PagedState[];
  isCut: boolean;
  before: PagedState[];
  resumed: PagedState | null;
}

const PAGE = 50;
/** Of a run with more states the newest are kept. */
const MAX_STATES = 2_000;
/** All pages of a run are decoded together. */
const MAX_BYTES = 128 * 1024 * 1024;
const INNER_PAGE = 200;
/** Maximum pages read for the state that the run began from. */
const MAX_PAGES_BEFORE = 2;
/** Newer runs of the thread that are skipped on the way. */
const MAX_SKIPPED = 5_000;

/** The states of one run, with those of the subgraphs that its nodes ran. */
export async function readRunHistory(source: HistorySource, runId: string): Promise<RunHistory | LangGraphFailure> {
  const outer = await readOuterHistory(source, runId);
  if (outer.kind === 'failed') return outer;
  const states = outer.own.map((state) => inRole(state, 'own'));
  if (outer.resumed !== null) states.push(inRole(outer.resumed, 'resumed'));
  const run = outer.resumed === null ? null : await source.run(runId);
  const namespaces = new Set(namespacesOf(states));
  let { isCut } = outer;
  // Grows during the iteration: a subgraph may run further subgraphs.
  for (const namespace of namespaces) {
    if (bytesOf(states) > MAX_BYTES) {
      isCut = true;
      break;
    }
    const inner = await readInnerHistory(source, runId, namespace);
    if (!Array.isArray(inner)) return inner;
    for (const state of inner) states.push(inRole(state, 'own'));
    for (const nested of namespacesOf(inner)) if (namespaces.size < MAX_NAMESPACES) namespaces.add(nested);
  }
  for (const state of outer.before) states.push(inRole(state, 'before'));
  return { kind: 'read', states, run, isCut };
}

function inRole(state: PagedState, role: StateRole): RunState {
  return { ...state, role };
}

function namespacesOf(states: readonly PagedState[]): string[] {
  return states.flatMap(({ namespaces }) => namespaces).slice(0, MAX_NAMESPACES);
}

/** Of the pages that hold them. */
function bytesOf(states: readonly PagedState[]): number {
  return [...new Set(states.map(({ page }) => page))].reduce((sum, page) => sum + page.length, 0);
}

/** From its thread's history, which is read page by page from the newest. */
async function readOuterHistory(source: HistorySource, runId: string): Promise<OuterHistory | LangGraphFailure> {
  const own: PagedState[] = [];
  const cut: OuterHistory = { kind: 'read', own, isCut: true, before: [], resumed: null };
  let limit = PAGE;
  let passed = 0;
  let before: string | null = null;
  while (true) {
    const page = await source.states({ limit, before });
    if (page.kind === 'failed') return page;
    if (page.kind === 'too_large') {
      if (limit === 1)
        return own.length > 0 ? cut : failed('A single state of the thread is too large.', { isFinal: true });
      limit = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    const { states, isFull } = page;
    for (const [at, state] of states.entries()) {
      if (state.runId === runId) own.push(state);
      else if (own.length > 0 && state.runId !== null) return withBefore(own, states.slice(at), source);
      else passed += 1;
    }
    const next = states.at(-1)?.id ?? null;
    const isLast = !isFull || next === null || next === before;
    if (isLast) return own.length > 0 ? whole(own) : RUN_MISSING;
    if (passed >= MAX_SKIPPED) return own.length > 0 ? cut : RUN_MISSING;
    if (own.length >= MAX_STATES || bytesOf(own) > MAX_BYTES) return cut;
    before = next;
  }
}

const RUN_MISSING = failed('The history of its thread does not contain the run.');

/** A run that continues the newest state needs no other: that one becomes its own. */
async function withBefore(
  own: PagedState[],
  older: readonly PagedState[],
  source: HistorySource,
): Promise<OuterHistory> {
  const history = whole(own, older[0]);
  if (history.resumed !== null) return history;
  return { ...history, before: await readBefore(own, older, source) };
}

/** A run that continues after an interruption runs the tasks of the state that it finds. */
function whole(own: PagedState[], before: PagedState | null = null): OuterHistory {
  const oldest = own.at(-1);
  const isFollowed =
    oldest?.isBeginning === false && oldest.parentId !== null && oldest.parentId === (before?.id ?? null);
  return { kind: 'read', own, isCut: false, before: [], resumed: isFollowed ? before : null };
}

/** States from `older` down to the run's parent; empty if that is not found soon. */
async function readBefore(
  own: readonly PagedState[],
  older: readonly PagedState[],
  source: HistorySource,
): Promise<PagedState[]> {
  const parent = own.at(-1)?.parentId ?? null;
  const found = [...older];
  for (let pages = 0; parent !== null; pages += 1) {
    const at = found.findIndex(({ id }) => id === parent);
    if (at !== -1) return found.slice(0, at + 1);
    const before = found.at(-1)?.id ?? null;
    if (pages === MAX_PAGES_BEFORE || before === null) break;
    const page = await source.states({ limit: PAGE, before });
    if (page.kind !== 'read' || page.states.length === 0) break;
    found.push(...page.states);
  }
  return [];
}

/** One page: a subgraph seldom takes more steps. */
async function readInnerHistory(
  source: HistorySource,
  runId: string,
  namespace: string,
): Promise<PagedState[] | LangGraphFailure> {
  for (let limit = INNER_PAGE; limit >= 1; limit = Math.floor(limit / 4)) {
    const page = await source.innerStates({ limit, namespace });
    if (page.kind === 'read') return page.states.filter((state) => state.runId === runId);
    // A server without subgraph support has still returned the run.
    if (page.kind === 'failed') return page.isFinal ? [] : page;
  }
  return [];
}
