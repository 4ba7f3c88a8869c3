import { AppError } from '../../core/app-error.ts';
import { copyBytes } from '../../core/join-chunks.ts';
import {
  failed,
  type LangGraphBytes,
  type LangGraphClient,
  type LangGraphFailure,
  type LangGraphServer,
  notJson,
} from '../../platforms/langgraph/langgraph-client.ts';
import type { StateOutline } from './state-outline.ts';
import type { ThreadStates } from './thread-states.decoder.ts';

/** A state within its page. */
export interface PagedState extends StateOutline {
  page: Buffer;
}

export type StatesPage =
  /** Newest first. `isFull`: the page has the requested size. */
  | { kind: 'read'; states: PagedState[]; isFull: boolean }
  /** A smaller page may fit. */
  | { kind: 'too_large' }
  | LangGraphFailure;

/** Reads the states of one thread. */
export interface HistorySource {
  states(page: { limit: number; before: string | null }): Promise<StatesPage>;
  /** Of a subgraph. */
  innerStates(page: { limit: number; namespace: string }): Promise<StatesPage>;
  /** The raw run object; null if it is not available. */
  run(runId: string): Promise<Buffer | null>;
}

/** @param outline takes ownership of the bytes. @throws AppError `payload_too_large` */
export function createHistorySource(options: {
  client: LangGraphClient;
  server: LangGraphServer;
  threadId: string;
  outline(body: Buffer): Promise<ThreadStates>;
}): HistorySource {
  const { client, server, threadId, outline } = options;

  async function read(answer: LangGraphBytes, limit: number, noList: StatesPage): Promise<StatesPage> {
    if (answer.kind !== 'answered') return answer;
    const { body: page } = answer;
    const found = await outline(await copyBytes(page)).catch(tooLarge);
    if (found === null || found.kind === 'too many') return { kind: 'too_large' };
    if (found.kind === 'no JSON') return notJson();
    if (found.kind === 'no list') return noList;
    return { kind: 'read', states: found.states.map((state) => ({ ...state, page })), isFull: found.count >= limit };
  }

  return {
    states: async (page) => read(await client.historyPage(server, threadId, page), page.limit, NO_LIST),
    innerStates: async (page) => read(await client.innerHistory(server, threadId, page), page.limit, NO_STATES),
    async run(runId) {
      const answer = await client.run(server, threadId, runId);
      return answer.kind === 'answered' ? answer.body : null;
    },
  };
}

const NO_LIST = failed('The deployment did not return a list of states.');
const NO_STATES: StatesPage = { kind: 'read', states: [], isFull: false };

function tooLarge(error: unknown): null {
  if (error instanceof AppError && error.code === 'payload_too_large') return null;
  throw error;
}
