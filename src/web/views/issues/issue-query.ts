import type { IssuesListInput } from '../../../client/misstep-client.generated.ts';
import type { QueryOf } from '../../address/routes.ts';

export type IssuesQuery = QueryOf<'issues'>;

/** Filters of the list; each active one is shown as a chip. */
export const FILTERS = [
  { name: 'agent', label: 'Agent' },
  { name: 'type', label: 'Kind' },
  { name: 'subtype', label: 'Subtype' },
  { name: 'severity', label: 'Severity' },
  { name: 'service', label: 'Service' },
  { name: 'workflow', label: 'Workflow' },
] as const;
export type FilterName = (typeof FILTERS)[number]['name'];

export const SORTS = { impact: 'Impact', last_seen: 'Last detected', runs: 'Runs', cost: 'Cost' } as const;

/** Query members of the API for an address, without the tab. Unknown values are sent, so that the response names them. */
export function listFilterOf({ sort, q, workflow, ...query }: IssuesQuery): Partial<IssuesListInput> {
  const same = FILTERS.flatMap(({ name }) => (name !== 'workflow' && query[name] ? [[name, query[name]]] : []));
  return {
    ...(sort && sort in SORTS ? { sort: sort as keyof typeof SORTS } : {}),
    ...(q ? { q } : {}),
    ...(workflow ? { workflow_id: workflow } : {}),
    ...Object.fromEntries(same),
  };
}
