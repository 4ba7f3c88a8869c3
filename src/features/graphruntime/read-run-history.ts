import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import {
  failed,
  type LangGraphClient,
  type LangGraphFailure,
  type LangGraphServer,
} from '../../platforms/langgraph/langgraph-client.ts';

export type RunHistory =
  /**
   * States of the run, newest first; then those of graphs within its graph. `before` are states of other runs, down to the one
   * that the run began from: they say whether that was the newest.
   */
  { kind: 'read'; checkpoints: JsonObject[]; before: JsonObject[]; isCut: boolean } | LangGraphFailure;

interface OuterHistory {
  kind: 'read';
  checkpoints: JsonObject[];
  isCut: boolean;
  before: JsonObject[];
  /** State of an earlier run that this one went on from. */
  resumed: JsonObject | null;
}

const PAGE = 50;
/** A run with more states keeps its newest. */
const MAX_CHECKPOINTS = 2_000;
const INNER_PAGE = 200;
/** Graphs within the graph that are read of one run. */
const MAX_NAMESPACES = 100;
/** Pages that are read on for the state that the run began from. */
const MAX_PAGES_BEFORE = 2;
/** Newer runs of the thread that are read over on the way. */
const MAX_PASSED = 5_000;

/** The states of one run, with those of the graphs that its nodes ran inside themselves. */
export async function readRunHistory(
  client: LangGraphClient,
  server: LangGraphServer,
  run: { threadId: string; runId: string },
): Promise<RunHistory> {
  const outer = await readOuterHistory(client, server, run);
  if (outer.kind === 'failed') return outer;
  const { isCut, resumed, before } = outer;
  const checkpoints = [...outer.checkpoints];
  if (resumed !== null) checkpoints.push(await takenOn(resumed, outer.checkpoints, client, server, run));
  const namespaces = new Set(namespacesIn(checkpoints));
  // Grows while it is walked: a graph inside may run graphs too.
  for (const namespace of namespaces) {
    const inner = await readInnerHistory(client, server, run, namespace);
    if (!Array.isArray(inner)) return inner;
    checkpoints.push(...inner);
    for (const deeper of namespacesIn(inner)) if (namespaces.size < MAX_NAMESPACES) namespaces.add(deeper);
  }
  return { kind: 'read', checkpoints, before, isCut };
}

/** Out of its thread's history, which is read page by page from its newest end. */
async function readOuterHistory(
  client: LangGraphClient,
  server: LangGraphServer,
  { threadId, runId }: { threadId: string; runId: string },
): Promise<OuterHistory | LangGraphFailure> {
  const checkpoints: JsonObject[] = [];
  const cut: OuterHistory = { kind: 'read', checkpoints, isCut: true, before: [], resumed: null };
  let limit = PAGE;
  let passed = 0;
  let before: string | null = null;
  while (true) {
    const answer = await client.historyPage(server, threadId, { limit, before });
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'too_large') {
      if (limit === 1)
        return checkpoints.length > 0 ? cut : failed('A single state of the thread is too large.', { isFinal: true });
      limit = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    if (!Array.isArray(answer.value)) return failed('The deployment answered with no list of states.');
    const page = answer.value.filter(isJsonObject);
    for (const checkpoint of page) {
      const runOf = runIdOf(checkpoint);
      if (runOf === runId) checkpoints.push(checkpoint);
      else if (checkpoints.length > 0 && runOf !== null)
        return withBefore(checkpoints, page.slice(page.indexOf(checkpoint)), client, server, threadId);
      else passed += 1;
    }
    const next = checkpointId(page.at(-1));
    const isLast = answer.value.length < limit || next === null || next === before;
    if (isLast) return checkpoints.length > 0 ? whole(checkpoints) : NOT_THERE;
    if (passed >= MAX_PASSED) return checkpoints.length > 0 ? cut : NOT_THERE;
    if (checkpoints.length >= MAX_CHECKPOINTS) return cut;
    before = next;
  }
}

/** A run that takes on the newest state needs no other: that one becomes its own. */
async function withBefore(
  own: JsonObject[],
  older: readonly JsonObject[],
  client: LangGraphClient,
  server: LangGraphServer,
  threadId: string,
): Promise<OuterHistory> {
  const history = whole(own, older[0]);
  if (history.resumed !== null) return history;
  return { ...history, before: await readBefore(own, older, client, server, threadId) };
}

/** States from `older` down to the one that the run followed on; none where that is not found soon. */
async function readBefore(
  own: readonly JsonObject[],
  older: readonly JsonObject[],
  client: LangGraphClient,
  server: LangGraphServer,
  threadId: string,
): Promise<JsonObject[]> {
  const parent = parentId(own.at(-1));
  const found = [...older];
  for (let pages = 0; parent !== null; pages += 1) {
    const at = found.findIndex((state) => checkpointId(state) === parent);
    if (at !== -1) return found.slice(0, at + 1).map(withoutValues);
    const before = checkpointId(found.at(-1));
    if (pages === MAX_PAGES_BEFORE || before === null) break;
    const answer = await client.historyPage(server, threadId, { limit: PAGE, before });
    const page = answer.kind === 'answered' && Array.isArray(answer.value) ? answer.value.filter(isJsonObject) : [];
    if (page.length === 0) break;
    found.push(...page);
  }
  return [];
}

/** What other runs held is not this run's affair: only which states there were. */
function withoutValues(state: JsonObject): JsonObject {
  return { ...state, values: null };
}

/** One page: what a node runs inside itself seldom takes more steps. */
async function readInnerHistory(
  client: LangGraphClient,
  server: LangGraphServer,
  { threadId, runId }: { threadId: string; runId: string },
  namespace: string,
): Promise<JsonObject[] | LangGraphFailure> {
  for (let limit = INNER_PAGE; limit >= 1; limit = Math.floor(limit / 4)) {
    const answer = await client.innerHistory(server, threadId, { limit, namespace });
    if (answer.kind === 'answered')
      return Array.isArray(answer.value)
        ? answer.value.filter(isJsonObject).filter((state) => runIdOf(state) === runId)
        : [];
    // A server that knows no graphs within graphs still has told of the run.
    if (answer.kind === 'failed') return answer.isFinal ? [] : answer;
  }
  return [];
}

/** Of the tasks that ran a graph: the server names them where that went well, and of one that failed nobody knows but by asking. */
function namespacesIn(checkpoints: readonly JsonObject[]): string[] {
  return checkpoints
    .flatMap((state) => {
      const outside = isJsonObject(state.checkpoint) ? state.checkpoint.checkpoint_ns : '';
      const prefix = typeof outside === 'string' && outside !== '' ? `${outside}|` : '';
      const tasks = Array.isArray(state.tasks) ? state.tasks.filter(isJsonObject) : [];
      return tasks.flatMap(({ checkpoint, error, name, id }) => {
        const told = isJsonObject(checkpoint) ? checkpoint.checkpoint_ns : undefined;
        if (typeof told === 'string' && told !== '') return [told];
        return error === null || error === undefined ? [] : [`${prefix}${name}:${id}`];
      });
    })
    .slice(0, MAX_NAMESPACES);
}

const NOT_THERE = failed('The history of its thread does not tell of the run.');

function whole(checkpoints: JsonObject[], before: JsonObject | null = null): OuterHistory {
  const oldest = checkpoints.at(-1);
  const isNew = !isJsonObject(oldest?.metadata) || oldest.metadata.source === 'input';
  const parent = parentId(oldest);
  const isFollowed = !isNew && parent !== null && parent === checkpointId(before ?? undefined);
  return { kind: 'read', checkpoints, isCut: false, before: [], resumed: isFollowed ? before : null };
}

/** A run that goes on after an interruption does the tasks of the state that it finds: they are its own, from its beginning. */
async function takenOn(
  state: JsonObject,
  own: readonly JsonObject[],
  client: LangGraphClient,
  server: LangGraphServer,
  { threadId, runId }: { threadId: string; runId: string },
): Promise<JsonObject> {
  const answer = await client.run(server, threadId, runId);
  const run = answer.kind === 'answered' && isJsonObject(answer.value) ? answer.value : {};
  const tasks = Array.isArray(state.tasks) ? state.tasks.filter(isJsonObject) : [];
  return {
    ...state,
    created_at: run.created_at ?? own.at(-1)?.created_at ?? null,
    metadata: { ...(isJsonObject(state.metadata) ? state.metadata : {}), run_id: runId },
    tasks: tasks.map((task) => ({ ...task, interrupts: [] })),
  };
}

function runIdOf({ metadata }: JsonObject): string | null {
  return isJsonObject(metadata) && typeof metadata.run_id === 'string' ? metadata.run_id : null;
}

function parentId(state: JsonObject | undefined): string | null {
  const parent = isJsonObject(state?.parent_checkpoint) ? state.parent_checkpoint.checkpoint_id : undefined;
  return typeof parent === 'string' ? parent : null;
}

function checkpointId(state: JsonObject | undefined): string | null {
  const checkpoint: Json | undefined = state?.checkpoint;
  return isJsonObject(checkpoint) && typeof checkpoint.checkpoint_id === 'string' ? checkpoint.checkpoint_id : null;
}
