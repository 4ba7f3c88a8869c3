import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';

const MAX_DAILY_CALLS = 100_000;

const status = z
  .object({
    enabled: z.boolean().describe('Switched on by the tenant; off by default'),
    configured: z.boolean().describe('A model is configured on the instance'),
    active: z.boolean().describe('Enabled and configured: questions are sent'),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    daily_calls: z.number().int().describe('Maximum questions per day: the tenant’s setting, at most the instance’s'),
    daily_tokens: z.number().int(),
    calls_today: z.number().int(),
    tokens_today: z.number().int(),
    skipped_today: z.number().int().describe('Questions not asked because the budget was used up'),
    resets_at: z.string().describe('Midnight UTC, when the budget is reset'),
    paused_until: z.string().nullable().describe('The model does not respond; the next attempt is at this time'),
  })
  .meta({ id: 'JudgeStatus' });

export const getJudgeOperation = defineOperation({
  id: 'settings.judge',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/judge',
  summary: 'Whether a model reviews uncertain detections, and its usage today',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: status,
  status: 200,
  run: (services, input) => services.judge.status(input.tenant_id),
});

export const putJudgeOperation = defineOperation({
  id: 'settings.change-judge',
  method: 'PUT',
  path: '/tenants/{tenant_id}/settings/judge',
  summary: 'Enables or disables the review of uncertain detections by a model; applies from the next analyzed trace',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  body: z.strictObject({
    enabled: z.boolean().optional(),
    daily_calls: z
      .number()
      .int()
      .min(0)
      .max(MAX_DAILY_CALLS)
      .nullable()
      .optional()
      .describe('Null: the instance’s limit'),
  }),
  output: status,
  status: 200,
  run: (services, { tenant_id, ...change }) => services.judge.change(tenant_id, change),
});

export const judgeOperations = [getJudgeOperation, putJudgeOperation];
