import { readN8nObject, readN8nPage } from '../../platforms/n8n/n8n-page.ts';
import type { PlatformSyncTable } from '../../store/integration-tables.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { decodeRecords } from '../integrations/decode-records.ts';
import { toRunNotices } from '../integrations/run-notice.ts';
import type { SyncFacts } from '../integrations/sync-source.ts';
import { decodeRuns } from './n8n.source.ts';
import { type PageSelection, selectFromPage } from './sync-page.ts';

export interface N8nExecutionsParams {
  /** One execution instead of a page. */
  isSingle: boolean;
  /** Lower bound of the sync run. */
  until: Pick<PlatformSyncTable, 'newest_taken' | 'since_ms'>;
  /** Unix milliseconds. */
  receivedAtMs: number;
}

export interface N8nExecutionsFacts extends SyncFacts, Omit<PageSelection, 'selected'> {
  /** Cursor of the next page; null after the last. */
  cursor: string | null;
}

/** Decoding this many values takes at most about 20 ms. */
const INLINE_NODES = 4_000;

/** Executions in the format of n8n's public API. */
export const n8nExecutions: BodyDecoder<N8nExecutionsParams, N8nExecutionsFacts> = {
  name: 'n8n-executions',
  maxInlineNodes: INLINE_NODES,
  decode(body, { isSingle, until, receivedAtMs }) {
    const { items, cursor } = isSingle ? { items: [readN8nObject(body)], cursor: null } : readN8nPage(body);
    const { selected, ...selection } = selectFromPage(items, until);
    const { rejected, ...decoded } = decodeRecords(selected, (execution) => decodeRuns(execution, receivedAtMs));
    const facts = { ...selection, cursor, isSummary: false, runs: [], selected: selected.length, rejected };
    return { ...decoded, facts };
  },
  complete: (facts, spans) => ({ ...facts, runs: toRunNotices(spans) }),
};
