import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { INTEGRATIONS } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import { type AnyOperation, defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { displayName } from '../identity/display-name.ts';
import type { IntegrationSource } from './integration-source.ts';
import { registrationRecord, toRegistrationRecord, webhookAccess } from './registration.record.ts';
import { memberShape } from './registration-members.ts';
import { address, description } from './registration-operations.ts';

const params = z.object({ registration_id: z.string() });

export const listRegistrationsOperation = defineOperation({
  id: 'integrations.list',
  method: 'GET',
  path: '/integrations',
  summary: 'All registered resources of other platforms, newest first',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  query: pageQuery.extend({ integration: z.enum(INTEGRATIONS).optional(), kind: z.string().max(40).optional() }),
  output: pageOf(registrationRecord),
  status: 200,
  run: async (services, input, caller) => {
    const filter = { integration: input.integration ?? null, kind: input.kind ?? null };
    const page = await services.registrations.list(tenantOfCaller(caller), filter, toPageRequest(input));
    return { ...page, items: page.items.map(toRegistrationRecord) };
  },
});

export const getRegistrationOperation = defineOperation({
  id: 'integrations.get',
  method: 'GET',
  path: '/integrations/{registration_id}',
  summary: 'One registration',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  params,
  output: registrationRecord,
  status: 200,
  run: async (services, input, caller) =>
    toRegistrationRecord(await services.registrations.get(tenantOfCaller(caller), input.registration_id)),
});

/** Accepts the fields of registration; `details` and `credentials` group them as in `GET`. */
export const changeRegistrationOperation = (sources: readonly IntegrationSource[]) =>
  defineOperation({
    id: 'integrations.change',
    method: 'PUT',
    path: '/integrations/{registration_id}',
    summary: 'Changes the given members; others are kept',
    access: { kind: 'tenant', scope: 'write' },
    isOfCallersTenant: true,
    params,
    body: z.strictObject({
      name: displayName.optional(),
      description,
      url: address.nullable().optional(),
      details: z.record(z.string(), z.json()).optional(),
      credentials: z
        .record(z.string(), z.string().min(1).max(4_096).nullable())
        .optional()
        .describe('null deletes one'),
      signed: z.boolean().optional(),
      ...memberShape(sources),
    }),
    output: registrationRecord,
    status: 200,
    errorCodes: ['conflict'],
    run: async (services, input, caller) => {
      const { registration_id, name, description, url, details, credentials, signed, ...members } = input;
      const change = { name, description, url, details, credentials, isSigned: signed, members: members as JsonObject };
      return toRegistrationRecord(await services.registrations.change(tenantOfCaller(caller), registration_id, change));
    },
  });

export const removeRegistrationOperation = defineOperation({
  id: 'integrations.remove',
  method: 'DELETE',
  path: '/integrations/{registration_id}',
  summary:
    'Deletes a registration with its dependants and credentials; its webhook is revoked immediately, its traces are kept',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  params,
  output: z.null(),
  status: 204,
  run: async (services, input, caller) => {
    await services.registrations.remove(tenantOfCaller(caller), input.registration_id);
    return null;
  },
});

export const rotateWebhookOperation = defineOperation({
  id: 'integrations.rotate-webhook',
  method: 'POST',
  path: '/integrations/{registration_id}/rotate',
  summary: 'Creates a new address and secret for its webhook, returned only once; the old ones are revoked immediately',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  params,
  output: registrationRecord.extend({ webhook: webhookAccess }),
  status: 200,
  errorCodes: ['invalid_transition', 'conflict'],
  run: async (services, input, caller) => {
    const { row, webhook } = await services.registrations.rotate(tenantOfCaller(caller), input.registration_id);
    return { ...toRegistrationRecord(row), webhook };
  },
});

export const checkConnectionOperation = defineOperation({
  id: 'integrations.check',
  method: 'POST',
  path: '/integrations/{registration_id}/check',
  summary: 'Whether the platform answers with the stored address and credentials; it is read, and not changed',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  params,
  output: z.object({
    is_connected: z.boolean(),
    problem: z.string().nullable().describe('Why it is not; null if it is'),
  }),
  status: 200,
  run: async (services, input, caller) => {
    const row = await services.registrations.get(tenantOfCaller(caller), input.registration_id);
    try {
      await services.platforms.checkConnection(row);
      return { is_connected: true, problem: null };
    } catch (error) {
      if (error instanceof AppError) return { is_connected: false, problem: error.message };
      throw error;
    }
  },
});

export function registrationOperationList(sources: readonly IntegrationSource[]): AnyOperation[] {
  return [
    listRegistrationsOperation,
    getRegistrationOperation,
    changeRegistrationOperation(sources),
    removeRegistrationOperation,
    rotateWebhookOperation,
    checkConnectionOperation,
  ];
}
