/** Metric types, by their API numbers. */
export const SERIES_TYPE = { count: 1, gauge: 3 } as const;

/** One time series of a request to `/api/v2/series`. */
export interface Series {
  metric: string;
  type: (typeof SERIES_TYPE)[keyof typeof SERIES_TYPE];
  /** Interval of a count in seconds. */
  interval?: number;
  /** Unix seconds, at most an hour old and ten minutes ahead. */
  points: { timestamp: number; value: number }[];
  tags: string[];
  resources: { type: string; name: string }[];
}

/** A compressed request may have 512,000 bytes; uncompressed ones below that always fit. */
export const MAX_PAYLOAD_BYTES = 500_000;

const ENVELOPE_BYTES = '{"series":[]}'.length;

/** Splits series into requests of at most `maxBytes` before compression; a larger series is sent alone. */
export function toPayloads<Item extends { series: Series }>(items: readonly Item[], maxBytes: number): Item[][] {
  const payloads: Item[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item.series)) + 1;
    if (size + bytes > maxBytes) {
      payloads.push([]);
      size = ENVELOPE_BYTES;
    }
    payloads.at(-1)?.push(item);
    size += bytes;
  }
  return payloads;
}
