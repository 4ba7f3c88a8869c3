import type { BodyDecoder } from '../ingest/prepare.ts';
import type { EndedRun, IntegrationSource } from './integration-source.ts';
import { type RunNotice, toRunNotices } from './run-notice.ts';

/** Content of a webhook besides spans. */
export interface PlatformRunsFacts {
  /** A run with more stored facts is unchanged. */
  isSummary: boolean;
  runs: RunNotice[];
  /** Runs whose nodes are to be fetched. */
  ended: EndedRun[];
}

export interface PlatformRunsParams {
  /** Unix milliseconds. */
  receivedAtMs: number;
}

/** Decoding this many values takes at most about 20 ms for any platform. */
const INLINE_NODES = 4_000;

/** Reads the webhooks of one platform. */
export function platformRuns(source: IntegrationSource): BodyDecoder<PlatformRunsParams, PlatformRunsFacts> {
  return {
    name: `${source.integration}-webhook`,
    maxInlineNodes: INLINE_NODES,
    decode(body, { receivedAtMs }) {
      const { spans, rejections, isSummary = false } = source.decode(body, receivedAtMs);
      return { spans, rejections, facts: { isSummary, runs: [], ended: [] } };
    },
    complete: (facts, spans) => ({
      ...facts,
      runs: toRunNotices(spans),
      ended: source.endedRuns?.(spans) ?? [],
    }),
  };
}
