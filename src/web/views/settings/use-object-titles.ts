import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';

const PAGE_SIZE = 200;

/** Titles of the newest plans and issues of a tenant, by id. @returns undefined for another id */
export function useObjectTitles(tenant: string): (id: string) => string | undefined {
  const titles = useQuery(`audit/titles/${tenant}`, async (signal) => {
    const input = { tenant_id: tenant, page_size: PAGE_SIZE };
    const [plans, issues] = await Promise.all([
      server.healing.list(input, { signal }),
      server.issues.list({ ...input, sort: 'last_seen' }, { signal }),
    ]);
    return new Map([
      ...plans.items.map(({ operation_id, title }) => [operation_id, title] as const),
      ...issues.items.map(({ issue_id, title }) => [issue_id, title] as const),
    ]);
  });
  return (id) => titles.value.value?.get(id);
}
