import { createDifyClient } from '../../platforms/dify/dify-client.ts';
import type { Platform } from '../integrations/platform.ts';
import { notCalled } from '../integrations/platform-services.ts';
import type { AppSyncRecord } from './app-sync.record.ts';
import { createAppSyncService } from './app-sync.service.ts';
import { appSyncOperation, appSyncStatusOperation, difyOperations } from './dify.operations.ts';
import type { DifyServices } from './dify.services.ts';
import { dify, difyApp } from './dify.source.ts';
import { difyLogs } from './dify-logs.decoder.ts';

export const difyPlatform: Platform = {
  source: dify,
  operations: difyOperations,
  decoders: [difyLogs],
  tasks: [],
  open(parts) {
    const client = createDifyClient(parts.fetchBytes, { now: () => parts.clock.now() });
    const sync = createAppSyncService({ ...parts, client });
    const services: DifyServices = { sync };
    return {
      services,
      works: [sync],
      executors: [],
      async checkConnection(registration) {
        // The keys belong to the apps: an instance alone cannot be called.
        if (registration.kind !== difyApp.name) throw notCalled(registration);
        await sync.checkConnection(registration);
      },
    };
  },
  fetching: {
    request: appSyncOperation,
    status: appSyncStatusOperation,
    idName: 'app_id',
    noun: 'run',
    toRegistration: (record: AppSyncRecord) => ({
      ...record,
      id: record.app_id,
      name: record.app_name,
      parent: [record.instance_id, record.instance_name],
      read: record.runs_read,
      taken: record.runs_taken,
      rejected: record.runs_refused,
    }),
  },
};
