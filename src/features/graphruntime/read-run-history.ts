import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import {
  failed,
  type LangGraphClient,
  type LangGraphFailure,
  type LangGraphServer,
} from '../../platforms/langgraph/langgraph-client.ts';

export type RunHistory =
  /** States of the run, newest first. */
  { kind: 'read'; checkpoints: JsonObject[]; isCut: boolean } | LangGraphFailure;

const PAGE = 50;
/** A run with more states keeps its newest. */
const MAX_CHECKPOINTS = 2_000;
/** Newer runs of the thread that are read over on the way. */
const MAX_PASSED = 5_000;

/** The states of one run out of its thread's history, which is read page by page from its newest end. */
export async function readRunHistory(
  client: LangGraphClient,
  server: LangGraphServer,
  { threadId, runId }: { threadId: string; runId: string },
): Promise<RunHistory> {
  const checkpoints: JsonObject[] = [];
  const cut: RunHistory = { kind: 'read', checkpoints, isCut: true };
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
      else if (checkpoints.length > 0 && runOf !== null) return whole(checkpoints);
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

const NOT_THERE = failed('The history of its thread does not tell of the run.');

function whole(checkpoints: JsonObject[]): RunHistory {
  return { kind: 'read', checkpoints, isCut: false };
}

function runIdOf({ metadata }: JsonObject): string | null {
  return isJsonObject(metadata) && typeof metadata.run_id === 'string' ? metadata.run_id : null;
}

function checkpointId(state: JsonObject | undefined): string | null {
  const checkpoint: Json | undefined = state?.checkpoint;
  return isJsonObject(checkpoint) && typeof checkpoint.checkpoint_id === 'string' ? checkpoint.checkpoint_id : null;
}
