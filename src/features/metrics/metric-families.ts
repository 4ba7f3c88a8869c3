import { SEVERITIES } from '../../core/severity.ts';
import type { FigureTable } from '../../store/figure-tables.ts';

export interface MetricSample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Samples under one name, with the same label names each. */
export interface MetricFamily {
  /** Without the project's prefix and the `_total` of counters. */
  name: string;
  help: string;
  kind: 'counter' | 'gauge';
  labelNames: readonly string[];
  samples: MetricSample[];
}

/** Every counted figure. Labels come from closed lists, so that senders cannot create series. */
const COUNTERS = [
  { name: 'traces', help: 'Received traces', labelNames: [] },
  { name: 'spans', help: 'Received spans without duplicates', labelNames: [] },
  { name: 'tokens', help: 'Tokens of analyzed traces', labelNames: [] },
  { name: 'cost_usd', help: 'Cost of analyzed traces in US dollars, where the model is known', labelNames: [] },
  { name: 'detections', help: 'Detections that were created or fired again', labelNames: ['type', 'severity'] },
  { name: 'alerts', help: 'Alert messages by channel, delivered or failed', labelNames: ['channel', 'outcome'] },
] as const;

/** Figures as metrics. Every family is present; one without labels also while it is zero. */
export function toMetricFamilies(
  figures: readonly FigureTable[],
  openIssues: ReadonlyMap<string, number>,
): MetricFamily[] {
  const counters = COUNTERS.map(({ name, help, labelNames }): MetricFamily => {
    const rows = figures.filter((row) => row.name === name);
    const samples = rows.map((row) => ({ labels: toLabels(labelNames, row.label), value: row.value }));
    const isMissing = labelNames.length === 0 && samples.length === 0;
    return { name, help, kind: 'counter', labelNames, samples: isMissing ? [{ labels: {}, value: 0 }] : samples };
  });
  return [...counters, issueFamily(openIssues)];
}

function issueFamily(openIssues: ReadonlyMap<string, number>): MetricFamily {
  return {
    name: 'issues_open',
    help: 'Open issues',
    kind: 'gauge',
    labelNames: ['severity'],
    samples: SEVERITIES.filter((severity) => severity !== 'observation').map((severity) => ({
      labels: { severity },
      value: openIssues.get(severity) ?? 0,
    })),
  };
}

function toLabels(names: readonly string[], label: string): Record<string, string> {
  const values = label.split('/');
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}
