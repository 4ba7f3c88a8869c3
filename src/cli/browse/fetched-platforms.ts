import type { Backend } from '../../client/backend.ts';
import type { AnyOperation } from '../../features/_kit/operation.ts';
import type { PlatformFetching, SyncedRegistration } from '../../features/integrations/platform.ts';
import { platforms } from '../../features/platforms.ts';

/** A registration whose runs can be fetched, with its sync state. */
export interface FetchedRegistration extends SyncedRegistration {
  integration: string;
  /** What one fetched run is called, in the singular. */
  noun: string;
  /** The record as the API returns it. */
  record: object;
}

export interface SyncRunFlags {
  since?: string;
  full?: boolean;
  alert?: boolean;
}

/** A platform from which runs are fetched. */
export interface FetchedPlatform {
  integration: string;
  /** @param id null for all */
  request(backend: Backend, id: string | null, flags: SyncRunFlags): Promise<FetchedRegistration[]>;
  status(backend: Backend): Promise<FetchedRegistration[]>;
}

export const fetchedPlatforms: FetchedPlatform[] = platforms.flatMap(({ source, fetching }) =>
  fetching === undefined ? [] : [fetchedPlatform(source.integration, fetching)],
);

function fetchedPlatform(integration: string, fetching: PlatformFetching): FetchedPlatform {
  const { idName, noun, toRegistration } = fetching;
  async function items(backend: Backend, operation: AnyOperation, input: object): Promise<FetchedRegistration[]> {
    const answer = (await backend.call(operation, input)) as { items: object[] };
    return answer.items.map((record) => ({ ...toRegistration(record), integration, noun, record }));
  }
  return {
    integration,
    request: (backend, id, flags) =>
      items(backend, fetching.request, { ...(id === null ? {} : { [idName]: id }), ...syncOptionsOf(flags) }),
    status: (backend) => items(backend, fetching.status, {}),
  };
}

function syncOptionsOf({ since, full, alert }: SyncRunFlags) {
  return { ...(since === undefined ? {} : { since }), full: full === true, alert: alert === true };
}
