import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { hasScope } from './session.ts';

const MAX_KEYS = 200;

/** Names of the actors of changes, for display and for filters. */
export interface ActorNames {
  /** The name of an API key, with its id if several keys have that name; for other actors the id. */
  nameOf(actor: string): string;
  /** The actor in a sentence: `API key “deploy”`; for other actors the id. */
  phraseOf(actor: string): string;
  /** The id of the only API key with this name; for other texts the text. */
  idOf(name: string): string;
}

/** The API keys of a tenant as actors. Without the right to list keys, only ids are known. */
export function useActorNames(tenant: string | null): ActorNames {
  const canListKeys = tenant !== null && hasScope('admin');
  const keys = useQuery(canListKeys ? `keys/${tenant}` : null, (signal) =>
    server.apiKeys.list({ tenant_id: tenant!, page_size: MAX_KEYS }, { signal }),
  );
  const items = keys.value.value?.items ?? [];
  const named = (name: string) => items.filter((key) => key.name === name);
  return {
    nameOf(actor) {
      const name = items.find(({ key_id }) => key_id === actor)?.name;
      if (name === undefined) return actor;
      return named(name).length > 1 ? `${name} (${actor})` : name;
    },
    phraseOf(actor) {
      const name = items.find(({ key_id }) => key_id === actor)?.name;
      return name === undefined ? actor : `API key “${name}”`;
    },
    idOf(name) {
      const keysOfName = named(name);
      return keysOfName.length === 1 ? keysOfName[0]!.key_id : name;
    },
  };
}
