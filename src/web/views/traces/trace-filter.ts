import type { TracesFacetsInput } from '../../../client/misstep-client.generated.ts';
import type { QueryOf } from '../../address/routes.ts';
import { NOT_MEASURED } from '../../parts/amounts.ts';
import { STATUS_LABELS } from '../../parts/status-label.ts';

export type TracesQuery = QueryOf<'traces'>;

/** Facets in display order, with the query parameter that each one sets. */
export const FACETS = [
  { facet: 'status', label: 'Status' },
  { facet: 'severity', label: 'Worst detection' },
  { facet: 'framework', label: 'Framework' },
  { facet: 'agent', label: 'Agent' },
  { facet: 'model', label: 'Model' },
  { facet: 'grade', label: 'Grade' },
  { facet: 'workflow', label: 'Workflow' },
] as const;
export type FacetName = (typeof FACETS)[number]['facet'];

/** The value of `cost` in the address for traces with model calls whose cost is not known. */
export const UNPRICED = 'unknown';

export const ORDERS = [
  { value: 'started_at', label: 'Newest' },
  { value: 'failure_rank', label: 'Most trouble' },
  { value: 'cost', label: 'Cost' },
  { value: 'duration', label: 'Duration' },
  { value: 'tokens', label: 'Tokens' },
] as const;

/** The filter of the list, facets and histogram requests. The server rejects invalid values. */
export function filterOf(query: TracesQuery): Omit<TracesFacetsInput, 'tenant_id' | 'top'> {
  const filter = {
    q: query.q,
    status: query.status,
    framework: query.framework,
    agent_id: query.agent,
    model: query.model,
    severity: query.severity,
    grade: query.grade,
    workflow_id: query.workflow,
    unpriced: query.cost === UNPRICED ? true : undefined,
    date_from: query.from,
    date_to: query.to,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Changes the query and removes the cursor, so that a new filter starts at the first page. */
export function withChange(query: TracesQuery, change: TracesQuery): TracesQuery {
  const { cursor: _, ...rest } = { ...query, ...change };
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''));
}

export interface Chip {
  /** Name of the filter, such as `Status`. */
  label: string;
  value: string;
  /** The query without this filter. */
  without: TracesQuery;
}

/** The active filters. @param labels display names of values, by facet and value */
export function chipsOf(query: TracesQuery, labels: ReadonlyMap<string, string>): Chip[] {
  const chip = (name: keyof TracesQuery, label: string, value: string) => ({
    label,
    value,
    without: withChange(query, { [name]: undefined }),
  });
  const chips = FACETS.flatMap(({ facet, label }) => {
    const value = query[facet];
    return value === undefined
      ? []
      : [chip(facet, label, labels.get(`${facet} ${value}`) ?? valueLabel(facet, value, value))];
  });
  if (query.cost === UNPRICED) chips.push(chip('cost', 'Cost', NOT_MEASURED));
  if (query.q !== undefined) chips.push(chip('q', 'Text', query.q));
  if (query.from !== undefined) chips.push(chip('from', 'From', query.from));
  if (query.to !== undefined) chips.push(chip('to', 'Before', query.to));
  return chips;
}

/** Display names of facet values, such as workflows, by facet and value. */
export function labelsOf(facets: Record<FacetName, { values: { value: string; label: string }[] }>) {
  return new Map(
    FACETS.flatMap(({ facet }) =>
      facets[facet].values.map(({ value, label }) => [`${facet} ${value}`, valueLabel(facet, value, label)] as const),
    ),
  );
}

/** The display name of a value. @param label the name from the server */
export function valueLabel(facet: FacetName, value: string, label: string): string {
  return facet === 'status' && Object.hasOwn(STATUS_LABELS, value)
    ? STATUS_LABELS[value as keyof typeof STATUS_LABELS]
    : label;
}

/** Grades from best to worst; other facets as the server orders them, the most frequent value first. */
export function orderedValues<Value extends { value: string }>(facet: FacetName, values: readonly Value[]): Value[] {
  return facet === 'grade' ? values.toSorted((a, b) => (a.value < b.value ? -1 : 1)) : [...values];
}

/** The time range of a drag from one bar to another, in either direction. Bars are zero-based. */
export function rangeOf(
  buckets: readonly { start: string }[],
  stepMs: number,
  startIndex: number,
  endIndex: number,
): { from: string; to: string } {
  const startTimeOf = (index: number) => Date.parse(buckets[Math.max(0, Math.min(buckets.length - 1, index))]!.start);
  const first = startTimeOf(Math.min(startIndex, endIndex));
  const last = startTimeOf(Math.max(startIndex, endIndex));
  return { from: new Date(first).toISOString(), to: new Date(last + stepMs).toISOString() };
}
