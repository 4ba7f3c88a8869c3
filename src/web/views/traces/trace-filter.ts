import type { TracesFacetsInput } from '../../../client/misstep-client.generated.ts';
import type { QueryOf } from '../../address/routes.ts';

export type TracesQuery = QueryOf<'traces'>;

/** Facets in their order, with the part of the query that each one sets. */
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

export const ORDERS = [
  { value: 'started_at', label: 'Newest' },
  { value: 'failure_rank', label: 'Most trouble' },
  { value: 'cost', label: 'Cost' },
  { value: 'duration', label: 'Duration' },
  { value: 'tokens', label: 'Tokens' },
] as const;

/** What the list, its facets and its histogram are asked with. A value that does not fit is refused by the server. */
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
    date_from: query.from,
    date_to: query.to,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The query without a place in the list: another filter begins at the first page. */
export function changed(query: TracesQuery, change: TracesQuery): TracesQuery {
  const { cursor: _, ...rest } = { ...query, ...change };
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''));
}

export interface Chip {
  /** What it filters by: `Status`. */
  label: string;
  value: string;
  /** The query without it. */
  without: TracesQuery;
}

/** The filters that are set. @param labels names of values that are shown as something else, by facet and value */
export function chipsOf(query: TracesQuery, labels: ReadonlyMap<string, string>): Chip[] {
  const chip = (name: keyof TracesQuery, label: string, value: string) => ({
    label,
    value,
    without: changed(query, { [name]: undefined }),
  });
  const chips = FACETS.flatMap(({ facet, label }) => {
    const value = query[facet];
    return value === undefined ? [] : [chip(facet, label, labels.get(`${facet} ${value}`) ?? value)];
  });
  if (query.q !== undefined) chips.push(chip('q', 'Text', query.q));
  if (query.from !== undefined) chips.push(chip('from', 'From', query.from));
  if (query.to !== undefined) chips.push(chip('to', 'Before', query.to));
  return chips;
}

/** Names of facet values, such as those of workflows, by facet and value. */
export function labelsOf(facets: Record<FacetName, { values: { value: string; label: string }[] }>) {
  return new Map(
    FACETS.flatMap(({ facet }) =>
      facets[facet].values.map(({ value, label }) => [`${facet} ${value}`, label] as const),
    ),
  );
}

/** The times that a drag over bars selects; bars count from zero, in either direction. */
export function rangeOf(
  buckets: readonly { start: string }[],
  stepMs: number,
  one: number,
  other: number,
): { from: string; to: string } {
  const at = (index: number) => Date.parse(buckets[Math.max(0, Math.min(buckets.length - 1, index))]!.start);
  const first = at(Math.min(one, other));
  const last = at(Math.max(one, other));
  return { from: new Date(first).toISOString(), to: new Date(last + stepMs).toISOString() };
}
