import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { hasScope } from './session.ts';

const MAX_KEYS = 200;

/**
 * The name of the actor of a change: the name of an API key, with its id if several keys have that name; otherwise the id. Without the right to list keys, only
 * ids are shown.
 */
export function useActorNames(tenant: string | null): (actor: string) => string {
  const canListKeys = tenant !== null && hasScope('admin');
  const keys = useQuery(canListKeys ? `keys/${tenant}` : null, (signal) =>
    server.apiKeys.list({ tenant_id: tenant!, page_size: MAX_KEYS }, { signal }),
  );
  const items = keys.value.value?.items ?? [];
  const names = new Map(items.map(({ key_id, name }) => [key_id, name]));
  return (actor) => {
    const name = names.get(actor);
    if (name === undefined) return actor;
    return items.filter((key) => key.name === name).length > 1 ? `${name} (${actor})` : name;
  };
}
