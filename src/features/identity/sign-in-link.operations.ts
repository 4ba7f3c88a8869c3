import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import type { Services } from '../services.ts';
import { secretText } from './secret-text.ts';
import type { SignInLink } from './sign-in-links.ts';

const signInLink = z
  .object({
    url: secretText('Opens the dashboard; works once. The token is in the fragment, which browsers do not send'),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink' });

export const createSignInLinkOperation = defineOperation({
  id: 'sign-in-links.create',
  method: 'POST',
  path: '/tenants/{tenant_id}/sign-in-links',
  summary: 'Create a one-time link to the dashboard with the scopes of this credential, valid for 10 minutes',
  access: { kind: 'tenant', scope: 'admin' },
  params: tenantParams,
  output: signInLink,
  status: 201,
  run: async (services, { tenant_id }, caller) =>
    toRecord(services, await services.sessions.createLink(tenant_id, caller)),
});

export const createOperatorLinkOperation = defineOperation({
  id: 'sign-in-links.create-operator',
  method: 'POST',
  path: '/auth/sign-in-links',
  summary: 'Create a one-time link that signs in as the operator, valid for 10 minutes',
  access: { kind: 'operator' },
  output: signInLink,
  status: 201,
  run: async (services) => toRecord(services, await services.sessions.createOperatorLink()),
});

function toRecord({ webAddress }: Pick<Services, 'webAddress'>, { token, expires_at }: SignInLink) {
  return { url: webAddress.signIn(token), expires_at };
}

export const signInLinkOperations = [createSignInLinkOperation, createOperatorLinkOperation];
