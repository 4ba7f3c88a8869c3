import type { Series } from '../../platforms/datadog/series.ts';
import { SERIES_TYPE } from '../../platforms/datadog/series.ts';
import type { VendorFlushTable } from '../../store/figure-tables.ts';

/** The tenant of the figures; null for those of the instance. */
export interface SeriesOwner {
  tenantId: string | null;
  host: string;
}

const LABEL_NAMES: Readonly<Record<string, readonly string[]>> = {
  detections: ['type', 'severity'],
  alerts: ['channel', 'outcome'],
};
const FIRST_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 3_600;

/** Names differ between tenants and instance, so that a sum over a metric counts nothing twice. */
export function vendorMetricName(name: string, tenantId: string | null): string {
  return `misstep.${tenantId === null ? 'instance' : 'tenant'}.${name}`;
}

/** A count: the growth since the last point. */
export function countSeries(row: VendorFlushTable, owner: SeriesOwner): Series {
  const timestamp = row.pending_at ?? 0;
  const since = row.flushed_at === 0 ? FIRST_INTERVAL_SECONDS : timestamp - row.flushed_at;
  const values = row.label.split('/');
  const tags = (LABEL_NAMES[row.name] ?? []).map((name, at) => `${name}:${values[at] ?? ''}`);
  return {
    ...base(row.name, owner, tags),
    type: SERIES_TYPE.count,
    interval: Math.min(since, MAX_INTERVAL_SECONDS),
    points: [{ timestamp, value: (row.pending ?? 0) - row.flushed }],
  };
}

export function openIssueSeries(
  openIssues: ReadonlyMap<string, number>,
  owner: SeriesOwner,
  timestamp: number,
): Series[] {
  return ['critical', 'warning', 'info'].map((severity) => ({
    ...base('issues_open', owner, [`severity:${severity}`]),
    type: SERIES_TYPE.gauge,
    points: [{ timestamp, value: openIssues.get(severity) ?? 0 }],
  }));
}

function base(name: string, { tenantId, host }: SeriesOwner, tags: readonly string[]) {
  return {
    metric: vendorMetricName(name, tenantId),
    tags: ['service:misstep', ...(tenantId === null ? [] : [`tenant:${tenantId}`]), ...tags],
    resources: [{ type: 'host', name: host }],
  };
}
