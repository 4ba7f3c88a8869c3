import { decodeDify } from '../../formats/dify/decode-dify.ts';
import { readDifyLogPage } from '../../platforms/dify/dify-log-page.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { decodeRecords } from '../integrations/decode-records.ts';
import { toRunNotices } from '../integrations/run-notice.ts';
import type { SyncFacts } from '../integrations/sync-source.ts';
import { difyRuns } from './dify.source.ts';
import { type KnownRun, type LogState, selectFromLogPage } from './sync-log-page.ts';

export interface DifyLogsParams {
  before: LogState;
  /** Newest run of the sync run so far, and the current time; Unix milliseconds. */
  seen: { newest: number | null; now: number };
}

export interface DifyLogsFacts extends SyncFacts {
  hasMore: boolean;
  read: number;
  newest: number | null;
  remembered: KnownRun[];
}

/** Decoding this many values takes at most about 20 ms. */
const INLINE_NODES = 4_000;

/** A page of one app's log, in the format of Dify's service API. */
export const difyLogs: BodyDecoder<DifyLogsParams, DifyLogsFacts> = {
  name: 'dify-logs',
  maxInlineNodes: INLINE_NODES,
  decode(body, { before, seen }) {
    const { items, hasMore } = readDifyLogPage(body);
    const { selected, newest, remembered } = selectFromLogPage(items, before, seen);
    const { rejected, ...decoded } = decodeRecords(selected, decodeDify);
    const { spans, rejections, isSummary = false } = difyRuns(decoded);
    const read = items.length;
    const facts = { hasMore, read, newest, remembered, isSummary, runs: [], selected: selected.length, rejected };
    return { spans, rejections, facts };
  },
  complete: (facts, spans) => ({ ...facts, runs: toRunNotices(spans) }),
};
