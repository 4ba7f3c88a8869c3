import { AppError } from '../../core/app-error.ts';
import type { N8nAccess } from '../../platforms/n8n/n8n-client.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import type { RegistrationService } from '../integrations/registration.service.ts';
import { n8nInstance } from './n8n.source.ts';

/** Registered n8n instances, in the form that API callers need. */
export interface N8nInstances {
  /** @throws AppError `not_found` also for a registration of another kind */
  find(tenantId: string, instanceId: string): Promise<RegistrationTable>;
  /** @throws AppError `conflict` if no key is stored, or it cannot be decrypted */
  accessOf(instance: RegistrationTable): N8nAccess;
}

export function createN8nInstances(registrations: Pick<RegistrationService, 'get' | 'credentialsOf'>): N8nInstances {
  return {
    async find(tenantId, instanceId) {
      const row = await registrations.get(tenantId, instanceId);
      if (row.integration === 'flowplatform' && row.kind === n8nInstance.name && row.url !== null) return row;
      throw new AppError('not_found', `There is no n8n instance ${instanceId}.`);
    },
    accessOf(instance) {
      const { api_key: apiKey } = registrations.credentialsOf(instance);
      if (apiKey === undefined)
        throw new AppError('conflict', `The instance ${instance.registration_id} has no api_key; store one first.`);
      return { url: instance.url as string, apiKey };
    },
  };
}
