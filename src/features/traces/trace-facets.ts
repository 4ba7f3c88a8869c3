import { z } from 'zod';
import type { FacetRow } from '../../store/trace-facet.store.ts';
import type { TraceFilter } from '../../store/trace-list.store.ts';
import { gradeOf } from '../detections/quality.ts';

export const FACETS = ['status', 'framework', 'agent', 'model', 'severity', 'grade', 'workflow'] as const;
export type Facet = (typeof FACETS)[number];

const facetRecord = z
  .object({
    values: z
      .array(
        z.object({
          value: z.string().describe('Value for the filter of this facet'),
          label: z.string().describe('Display text: the name of a workflow, otherwise the value'),
          count: z.number().int(),
        }),
      )
      .describe('The most frequent first'),
    others: z.number().int().describe('Further values'),
    without: z.number().int().describe('Traces that have no value'),
  })
  .meta({ id: 'TraceFacet' });
type FacetRecord = z.input<typeof facetRecord>;

export const traceFacetsRecord = z
  .object({
    counted: z.number().int().describe('Traces that match the filter, among those that were counted'),
    is_complete: z.boolean().describe('False where only the newest 50,000 traces were counted'),
    facets: z
      .object(Object.fromEntries(FACETS.map((facet) => [facet, facetRecord])) as Record<Facet, typeof facetRecord>)
      .describe('Counts of a facet ignore the facet’s own filter'),
  })
  .meta({ id: 'TraceFacets' });
export type TraceFacetsRecord = z.input<typeof traceFacetsRecord>;

/** The filter of each facet is applied while counting, so that a facet can leave out its own. */
export interface FacetFilter {
  /** What the database applies. */
  rest: TraceFilter;
  /** The selected value of each facet. */
  chosen: Partial<Record<Facet, string>>;
}

/** Removes the filters of facets from a filter. */
export function toFacetFilter(filter: TraceFilter): FacetFilter {
  const { status, framework, agentId, model, severity, score, workflowId, ...rest } = filter;
  const chosen: FacetFilter['chosen'] = {};
  if (status) chosen.status = status;
  if (framework) chosen.framework = framework;
  if (agentId !== null) chosen.agent = agentId;
  if (model) chosen.model = model;
  if (severity) chosen.severity = severity;
  if (score) chosen.grade = gradeOf(score.from);
  if (workflowId) chosen.workflow = workflowId;
  return { rest: { ...rest, status: null, agentId: null }, chosen };
}

/** Counts the values of each facet over the rows that fit every other facet's filter. */
export class FacetCounts {
  readonly #chosen: [Facet, string][];
  readonly #counts = new Map<Facet, Map<string, number>>(FACETS.map((facet) => [facet, new Map()]));
  readonly #without = new Map<Facet, number>(FACETS.map((facet) => [facet, 0]));
  #counted = 0;

  constructor(chosen: FacetFilter['chosen']) {
    this.#chosen = Object.entries(chosen) as [Facet, string][];
  }

  add(row: FacetRow): void {
    const values = valuesOf(row);
    const unfit = this.#chosen.filter(([facet, value]) => !values[facet].includes(value)).map(([facet]) => facet);
    if (unfit.length > 1) return;
    if (unfit.length === 0) this.#counted += 1;
    for (const facet of unfit.length === 0 ? FACETS : unfit) this.#count(facet, values[facet]);
  }

  /** @param top values of each facet that are named */
  record(top: number, workflowNames: ReadonlyMap<string, string>): Omit<TraceFacetsRecord, 'is_complete'> {
    const facets = Object.fromEntries(
      FACETS.map((facet) => [facet, this.#facet(facet, top, facet === 'workflow' ? workflowNames : new Map())]),
    );
    return { counted: this.#counted, facets: facets as TraceFacetsRecord['facets'] };
  }

  /** The most frequent values, among equals in alphabetical order. */
  top(facet: Facet, top: number): [value: string, count: number][] {
    return [...(this.#counts.get(facet) ?? [])]
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .slice(0, top);
  }

  #count(facet: Facet, values: readonly string[]): void {
    const counts = this.#counts.get(facet)!;
    for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
    if (values.length === 0) this.#without.set(facet, this.#without.get(facet)! + 1);
  }

  #facet(facet: Facet, top: number, names: ReadonlyMap<string, string>): FacetRecord {
    const values = this.top(facet, top).map(([value, count]) => ({ value, label: names.get(value) ?? value, count }));
    return {
      values,
      others: this.#counts.get(facet)!.size - values.length,
      without: this.#without.get(facet)!,
    };
  }
}

function valuesOf(row: FacetRow): Record<Facet, readonly string[]> {
  const { status, framework, max_severity, quality_score, workflow_id } = row;
  return {
    status: [status],
    framework: [framework],
    agent: JSON.parse(row.agent_ids) as string[],
    model: JSON.parse(row.models) as string[],
    severity: max_severity === null ? [] : [max_severity],
    grade: quality_score === null ? [] : [gradeOf(quality_score)],
    workflow: workflow_id === null ? [] : [workflow_id],
  };
}
