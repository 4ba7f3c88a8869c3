import { describe, expect, it } from 'vitest';
import type { Caller } from '../features/_kit/caller.ts';
import type { Access } from '../features/_kit/operation.ts';
import { GUEST } from './authenticate.ts';
import { accessErrorOf, authorize } from './authorize.ts';

const reader: Caller = { tenantId: 'ten_a', keyId: 'key_a', scopes: ['read'], isOperator: false };
const operator: Caller = { tenantId: null, keyId: null, scopes: [], isOperator: true };
const read: Access = { kind: 'tenant', scope: 'read' };
const write: Access = { kind: 'tenant', scope: 'write' };
const open = { isRegistrationOpen: true };
const closed = { isRegistrationOpen: false };

describe('accessErrorOf', () => {
  it.each<[string, Access, Caller, string | null, { isRegistrationOpen: boolean }, string | null]>([
    ['guest, public', { kind: 'public' }, GUEST, null, closed, null],
    ['guest, registration open', { kind: 'registration' }, GUEST, null, open, null],
    ['guest, registration closed', { kind: 'registration' }, GUEST, null, closed, 'unauthenticated'],
    ['tenant, registration closed', { kind: 'registration' }, reader, null, closed, 'forbidden'],
    ['operator, registration closed', { kind: 'registration' }, operator, null, closed, null],
    ['guest, tenant', read, GUEST, 'ten_a', closed, 'unauthenticated'],
    ['tenant, own path', read, reader, 'ten_a', closed, null],
    ['tenant, no path', read, reader, null, closed, null],
    ['tenant, path of another tenant', read, reader, 'ten_b', closed, 'wrong_tenant'],
    ['tenant, path of another tenant, without scope', write, reader, 'ten_b', closed, 'wrong_tenant'],
    ['tenant, without scope', write, reader, 'ten_a', closed, 'forbidden'],
    ['operator, any tenant', write, operator, 'ten_b', closed, null],
    ['guest, operator', { kind: 'operator' }, GUEST, null, closed, 'unauthenticated'],
    ['tenant, operator', { kind: 'operator' }, reader, 'ten_a', closed, 'forbidden'],
    [
      'tenant with every scope, operator',
      { kind: 'operator' },
      { ...reader, tenantId: 'ten_a' },
      'ten_b',
      closed,
      'forbidden',
    ],
    ['operator, operator', { kind: 'operator' }, operator, null, closed, null],
  ])('%s', (_name, access, caller, tenantId, door, expected) => {
    expect(accessErrorOf(access, caller, tenantId, door)).toBe(expected);
  });
});

describe('authorize', () => {
  const tenants = { resolve: async (tenantId: string) => (tenantId === 'ten_a' ? 1 : null) };
  const services = { tenants } as unknown as Parameters<typeof authorize>[0];
  const problem = (access: Access, caller: Caller, tenantId: string | null) =>
    authorize(services, access, caller, tenantId, closed).then(
      () => null,
      (error) => [error.code, error.message],
    );

  it.each<[string, Access, Caller, string | null, [string, string] | null]>([
    ['accepts a tenant', read, reader, 'ten_a', null],
    ['does not look up the tenant of the credential', read, { ...reader, tenantId: 'ten_x' }, 'ten_x', null],
    ['accepts the operator for an existing tenant', write, operator, 'ten_a', null],
    ['accepts the operator without a tenant', { kind: 'operator' }, operator, null, null],
    ['rejects the operator for a missing tenant', read, operator, 'ten_b', ['not_found', 'There is no such tenant.']],
    [
      'rejects a guest with the needed credential',
      read,
      GUEST,
      'ten_a',
      ['unauthenticated', 'This needs an API key in X-SVC-API-Key, or Authorization: Bearer.'],
    ],
    [
      'rejects a guest if registration is closed',
      { kind: 'registration' },
      GUEST,
      null,
      ['unauthenticated', expect.stringMatching(/^Registration is closed/)],
    ],
    [
      'rejects a tenant on the path of another tenant',
      read,
      reader,
      'ten_b',
      ['wrong_tenant', 'The path names another tenant than the credential.'],
    ],
    [
      'names the scope that is missing',
      write,
      reader,
      'ten_a',
      ['forbidden', 'The credential lacks the scope "write".'],
    ],
    [
      'rejects a tenant that registers a tenant',
      { kind: 'registration' },
      reader,
      null,
      ['forbidden', 'This needs the operator credential.'],
    ],
    [
      'rejects a tenant on an operation of the operator',
      { kind: 'operator' },
      reader,
      'ten_a',
      ['forbidden', 'This needs the operator credential.'],
    ],
  ])('%s', async (_name, access, caller, tenantId, expected) => {
    expect(await problem(access, caller, tenantId)).toEqual(expected);
  });
});
