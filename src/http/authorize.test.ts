import { describe, expect, it } from 'vitest';
import type { Caller } from '../features/_kit/caller.ts';
import type { Access } from '../features/_kit/operation.ts';
import { GUEST } from './authenticate.ts';
import { refusalOf } from './authorize.ts';

const reader: Caller = { tenantId: 'ten_a', keyId: 'key_a', scopes: ['read'], isOperator: false };
const operator: Caller = { tenantId: null, keyId: null, scopes: [], isOperator: true };
const read: Access = { kind: 'tenant', scope: 'read' };
const write: Access = { kind: 'tenant', scope: 'write' };
const open = { isRegistrationOpen: true };
const closed = { isRegistrationOpen: false };

describe('refusalOf', () => {
  it.each<[string, Access, Caller, string | null, { isRegistrationOpen: boolean }, string | null]>([
    ['guest, public', { kind: 'public' }, GUEST, null, closed, null],
    ['guest, registration open', { kind: 'registration' }, GUEST, null, open, null],
    ['guest, registration closed', { kind: 'registration' }, GUEST, null, closed, 'unauthenticated'],
    ['tenant, registration closed', { kind: 'registration' }, reader, null, closed, 'forbidden'],
    ['operator, registration closed', { kind: 'registration' }, operator, null, closed, null],
    ['guest, tenant', read, GUEST, 'ten_a', closed, 'unauthenticated'],
    ['tenant, own path', read, reader, 'ten_a', closed, null],
    ['tenant, no path', read, reader, null, closed, null],
    ['tenant, foreign path', read, reader, 'ten_b', closed, 'wrong_tenant'],
    ['tenant, foreign path without scope', write, reader, 'ten_b', closed, 'wrong_tenant'],
    ['tenant, without scope', write, reader, 'ten_a', closed, 'forbidden'],
    ['operator, any tenant', write, operator, 'ten_b', closed, null],
    ['guest, operator', { kind: 'operator' }, GUEST, null, closed, 'unauthenticated'],
    ['tenant, operator', { kind: 'operator' }, reader, 'ten_a', closed, 'forbidden'],
    ['operator, operator', { kind: 'operator' }, operator, null, closed, null],
  ])('%s', (_name, access, caller, tenantId, door, expected) => {
    expect(refusalOf(access, caller, tenantId, door)).toBe(expected);
  });
});
