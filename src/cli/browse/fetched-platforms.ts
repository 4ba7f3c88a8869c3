import type { Backend } from '../../client/backend.ts';
import type { AppSyncRecord } from '../../features/dify/app-sync.record.ts';
import { appSyncOperation, appSyncStatusOperation } from '../../features/dify/dify.operations.ts';
import type { SyncState } from '../../features/integrations/sync-state.ts';
import { syncOperation, syncStatusOperation } from '../../features/n8n/n8n.operations.ts';
import type { SyncRecord } from '../../features/n8n/sync.record.ts';

/** A registration whose runs can be fetched, with its sync state. */
export interface FetchedRegistration extends SyncState {
  id: string;
  name: string;
  integration: string;
  /** Id and name of its parent, which also select it. */
  parent: (string | null)[];
  read: number;
  taken: number;
  refused: number;
  /** One of what is read. */
  noun: string;
  /** In API form. */
  record: SyncRecord | AppSyncRecord;
}

export interface PassFlags {
  since?: string;
  full?: boolean;
  alert?: boolean;
}

/** A platform from which runs are fetched. */
export interface FetchedPlatform {
  integration: 'flowplatform' | 'llmapps';
  /** @param id null for all */
  request(backend: Backend, id: string | null, flags: PassFlags): Promise<FetchedRegistration[]>;
  status(backend: Backend): Promise<FetchedRegistration[]>;
}

const n8n: FetchedPlatform = {
  integration: 'flowplatform',
  request: async (backend, id, flags) =>
    (await backend.call(syncOperation, { ...named('instance_id', id), ...passOf(flags) })).items.map(ofN8n),
  status: async (backend) => (await backend.call(syncStatusOperation, {})).items.map(ofN8n),
};

const dify: FetchedPlatform = {
  integration: 'llmapps',
  request: async (backend, id, flags) =>
    (await backend.call(appSyncOperation, { ...named('app_id', id), ...passOf(flags) })).items.map(ofDify),
  status: async (backend) => (await backend.call(appSyncStatusOperation, {})).items.map(ofDify),
};

export const fetchedPlatforms: FetchedPlatform[] = [n8n, dify];

function named(member: string, id: string | null): Record<string, string> {
  return id === null ? {} : { [member]: id };
}

function passOf({ since, full, alert }: PassFlags) {
  return { ...(since === undefined ? {} : { since }), full: full === true, alert: alert === true };
}

function ofN8n(record: SyncRecord): FetchedRegistration {
  return {
    ...record,
    id: record.instance_id,
    integration: n8n.integration,
    parent: [],
    read: record.executions_read,
    taken: record.executions_taken,
    refused: record.executions_refused,
    noun: 'execution',
    record,
  };
}

function ofDify(record: AppSyncRecord): FetchedRegistration {
  return {
    ...record,
    id: record.app_id,
    name: record.app_name,
    integration: dify.integration,
    parent: [record.instance_id, record.instance_name],
    read: record.runs_read,
    taken: record.runs_taken,
    refused: record.runs_refused,
    noun: 'run',
    record,
  };
}
