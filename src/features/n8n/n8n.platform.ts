import { createN8nClient } from '../../platforms/n8n/n8n-client.ts';
import type { Platform } from '../integrations/platform.ts';
import { notCalled } from '../integrations/platform-services.ts';
import { createDiscoveryService } from './discovery.service.ts';
import { inspectWorkflowsTask } from './discovery.tasks.ts';
import { n8nOperations, syncOperation, syncStatusOperation } from './n8n.operations.ts';
import type { N8nServices } from './n8n.services.ts';
import { n8n, n8nInstance } from './n8n.source.ts';
import { n8nExecutions } from './n8n-executions.decoder.ts';
import { createN8nInstances } from './n8n-instances.ts';
import { createN8nSyncService } from './n8n-sync.service.ts';
import { createN8nWorkflowExecutor } from './n8n-workflow.executor.ts';
import type { SyncRecord } from './sync.record.ts';

export const n8nPlatform: Platform = {
  source: n8n,
  operations: n8nOperations,
  decoders: [n8nExecutions],
  tasks: [inspectWorkflowsTask],
  open(parts) {
    const client = createN8nClient(parts.fetchBytes, { now: () => parts.clock.now() });
    const instances = createN8nInstances(parts.registrations);
    const sync = createN8nSyncService({ ...parts, client, instances });
    const services: N8nServices = { sync, discovery: createDiscoveryService({ ...parts, client, instances }) };
    return {
      services,
      works: [sync],
      executors: [createN8nWorkflowExecutor({ client, instances })],
      async checkConnection(registration) {
        if (registration.kind !== n8nInstance.name) throw notCalled(registration);
        await client.check(instances.accessOf(registration));
      },
    };
  },
  fetching: {
    request: syncOperation,
    status: syncStatusOperation,
    idName: 'instance_id',
    noun: 'execution',
    toRegistration: (record: SyncRecord) => ({
      ...record,
      id: record.instance_id,
      parent: [],
      read: record.executions_read,
      taken: record.executions_taken,
      rejected: record.executions_refused,
    }),
  },
};
