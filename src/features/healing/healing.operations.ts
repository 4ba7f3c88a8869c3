import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { healingRecord, healingSummary } from './healing.record.ts';
import { FIX_TYPES, healingPolicy, healingPolicyChange } from './healing-policy.ts';
import { HEALING_STATUSES, RESOLUTIONS } from './healing-state.ts';

const PATH = '/tenants/{tenant_id}/healing/operations';
const ONE = `${PATH}/{operation_id}`;
const READ = { kind: 'tenant', scope: 'read' } as const;
const WRITE = { kind: 'tenant', scope: 'write' } as const;
const oneParams = tenantParams.extend({ operation_id: z.string() });
const note = z.string().trim().min(1).max(2_000).optional().describe('Stored with the operation');

const change = z.strictObject({
  target: z.string().max(1_000).default('').describe('Description of the target'),
  format: z.enum(['json-patch', 'unified-diff', 'text']),
  before: z.string().max(1_000_000).nullable().default(null).describe('For text: the passage to replace'),
  after: z.string().min(1).max(1_000_000).describe('JSON Patch (RFC 6902) as text, a unified diff, or the new passage'),
});

export const createHealingOperation = defineOperation({
  id: 'healing.create',
  method: 'POST',
  path: PATH,
  summary: 'Plans a healing operation: a given fix, the likeliest fix of a detection, or custom changes for it',
  access: WRITE,
  params: tenantParams,
  bodyLimit: 'documents',
  body: z
    .strictObject({
      detection_id: z.string().min(1).max(200).optional(),
      fix_id: z.string().min(1).max(200).optional(),
      executor: z
        .string()
        .min(1)
        .max(100)
        .default('manual')
        .describe('Executor that applies the change; `manual`: a person'),
      target: z.record(z.string(), z.json()).default({}).describe('Target in the format of the executor'),
      changes: z.array(change).min(1).max(50).optional().describe('Custom changes instead of those of the fix'),
    })
    .refine((body) => body.detection_id !== undefined || body.fix_id !== undefined, {
      path: ['detection_id'],
      message: 'name a detection or a fix',
    }),
  output: healingRecord,
  status: 201,
  run: (services, input, caller) =>
    services.healing.create(
      input.tenant_id,
      {
        detectionId: input.detection_id ?? null,
        fixId: input.fix_id ?? null,
        executor: input.executor,
        target: input.target,
        changes: input.changes ?? null,
      },
      caller,
    ),
});

export const listHealingOperation = defineOperation({
  id: 'healing.list',
  method: 'GET',
  path: PATH,
  summary: 'Healing operations, newest first',
  access: READ,
  params: tenantParams,
  query: pageQuery.extend({
    status: z.enum(HEALING_STATUSES).optional(),
    fix_type: z.enum(FIX_TYPES).optional(),
    detection_id: z.string().max(200).optional(),
    issue_id: z.string().max(200).optional(),
    waiting: z
      .boolean()
      .optional()
      .describe('Whether the next step is a person’s; also of an applied one whose failure was detected again'),
  }),
  output: pageOf(healingSummary),
  status: 200,
  run: (services, input) =>
    services.healing.list(
      input.tenant_id,
      {
        status: input.status ?? null,
        fixType: input.fix_type ?? null,
        detectionId: input.detection_id ?? null,
        issueId: input.issue_id ?? null,
        isWaiting: input.waiting ?? null,
      },
      toPageRequest(input),
    ),
});

export const getHealingOperation = defineOperation({
  id: 'healing.get',
  method: 'GET',
  path: ONE,
  summary: 'A healing operation with its planned change and its rollback',
  access: READ,
  params: oneParams,
  output: healingRecord,
  status: 200,
  run: (services, input) => services.healing.get(input.tenant_id, input.operation_id),
});

export const approveHealingOperation = defineOperation({
  id: 'healing.approve',
  method: 'POST',
  path: `${ONE}/approve`,
  summary: 'Approves a planned operation',
  access: WRITE,
  params: oneParams,
  body: z.strictObject({ note }),
  output: healingRecord,
  status: 200,
  errorCodes: ['invalid_transition'],
  run: (services, input, caller) =>
    services.healing.approve(input.tenant_id, input.operation_id, input.note ?? null, caller),
});

export const rejectHealingOperation = defineOperation({
  id: 'healing.reject',
  method: 'POST',
  path: `${ONE}/reject`,
  summary: 'Rejects an operation that was not executed',
  access: WRITE,
  params: oneParams,
  body: z.strictObject({ note }),
  output: healingRecord,
  status: 200,
  errorCodes: ['invalid_transition'],
  run: (services, input) => services.healing.reject(input.tenant_id, input.operation_id, input.note ?? null),
});

export const executeHealingOperation = defineOperation({
  id: 'healing.execute',
  method: 'POST',
  path: `${ONE}/execute`,
  summary: 'Applies the change and verifies it; a manual operation is marked as in progress',
  access: WRITE,
  params: oneParams,
  output: healingRecord,
  status: 200,
  errorCodes: ['invalid_transition', 'invalid_body'],
  run: (services, input) => services.healing.execute(input.tenant_id, input.operation_id),
});

export const rollbackHealingOperation = defineOperation({
  id: 'healing.rollback',
  method: 'POST',
  path: `${ONE}/rollback`,
  summary: 'Restores exactly the previous content',
  access: WRITE,
  params: oneParams,
  output: healingRecord,
  status: 200,
  errorCodes: ['invalid_transition', 'invalid_body'],
  run: (services, input) => services.healing.rollback(input.tenant_id, input.operation_id),
});

export const checkHealingOperation = defineOperation({
  id: 'healing.check',
  method: 'POST',
  path: `${ONE}/check`,
  summary: 'Reads the current content of the target',
  access: WRITE,
  params: oneParams,
  output: healingRecord,
  status: 200,
  errorCodes: ['invalid_transition'],
  run: (services, input) => services.healing.check(input.tenant_id, input.operation_id),
});

export const resolveHealingOperation = defineOperation({
  id: 'healing.resolve',
  method: 'POST',
  path: `${ONE}/resolve`,
  summary: 'Records the outcome of a manual operation, or of one whose outcome is unknown',
  access: WRITE,
  params: oneParams,
  body: z.strictObject({ outcome: z.enum(RESOLUTIONS), note }),
  output: healingRecord,
  status: 200,
  errorCodes: ['invalid_transition'],
  run: (services, input) =>
    services.healing.resolve(input.tenant_id, input.operation_id, input.outcome, input.note ?? null),
});

export const healingHistoryOperation = defineOperation({
  id: 'healing.history',
  method: 'GET',
  path: '/tenants/{tenant_id}/healing/history',
  summary: 'All operations that were applied at any time, newest first',
  access: READ,
  params: tenantParams,
  query: pageQuery,
  output: pageOf(healingSummary),
  status: 200,
  run: (services, input) => services.healing.history(input.tenant_id, toPageRequest(input)),
});

const POLICY_PATH = '/tenants/{tenant_id}/settings/healing';

export const getHealingPolicyOperation = defineOperation({
  id: 'healing.policy',
  method: 'GET',
  path: POLICY_PATH,
  summary: 'Policy of execution without approval',
  access: READ,
  params: tenantParams,
  output: healingPolicy,
  status: 200,
  run: (services, input) => services.healing.policy(input.tenant_id),
});

export const putHealingPolicyOperation = defineOperation({
  id: 'healing.change-policy',
  method: 'PUT',
  path: POLICY_PATH,
  summary: 'Sets the policy of execution without approval; omitted members are kept',
  access: WRITE,
  params: tenantParams,
  body: healingPolicyChange,
  output: healingPolicy,
  status: 200,
  run: (services, { tenant_id, ...body }) => services.healing.changePolicy(tenant_id, body),
});

export const healingOperations = [
  createHealingOperation,
  listHealingOperation,
  getHealingOperation,
  approveHealingOperation,
  rejectHealingOperation,
  executeHealingOperation,
  rollbackHealingOperation,
  checkHealingOperation,
  resolveHealingOperation,
  healingHistoryOperation,
  getHealingPolicyOperation,
  putHealingPolicyOperation,
];
