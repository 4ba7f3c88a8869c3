import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { may } from './session.ts';

const MAX_KEYS = 200;

/**
 * Names what made a change: `ci (key_…)` for an API key, the id itself for everything else. A key that may not list keys
 * sees the ids.
 */
export function useActorNames(tenant: string | null): (actor: string) => string {
  const isListed = tenant !== null && may('admin');
  const keys = useQuery(isListed ? `keys/${tenant}` : null, (signal) =>
    server.apiKeys.list({ tenant_id: tenant!, page_size: MAX_KEYS }, { signal }),
  );
  const names = new Map(keys.value.value?.items.map(({ key_id, name }) => [key_id, name]));
  return (actor) => {
    const name = names.get(actor);
    return name === undefined ? actor : `${name} (${actor})`;
  };
}
