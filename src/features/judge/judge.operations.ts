import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';

const MOST_DAILY_CALLS = 100_000;

const status = z
  .object({
    enabled: z.boolean().describe('Switched on by the tenant; off by default'),
    configured: z.boolean().describe('The instance has a model to ask'),
    active: z.boolean().describe('Both: questions are asked'),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    daily_calls: z
      .number()
      .int()
      .describe('Questions a day that may be asked: the tenant’s number, at most the instance’s'),
    daily_tokens: z.number().int(),
    calls_today: z.number().int(),
    tokens_today: z.number().int(),
    skipped_today: z.number().int().describe('Questions not asked because the budget was used up'),
    resets_at: z.string().describe('Midnight UTC, when the budget is whole again'),
    paused_until: z.string().nullable().describe('The model does not answer and is left alone until then'),
  })
  .meta({ id: 'JudgeStatus' });

export const getJudgeOperation = defineOperation({
  id: 'settings.judge',
  method: 'GET',
  path: '/tenants/{tenant_id}/settings/judge',
  summary: 'Whether a model is asked about uncertain detections, and what that has used today',
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
  summary: 'Lets a model be asked about uncertain detections, or not; counts from the next analysed trace',
  access: { kind: 'tenant', scope: 'write' },
  params: tenantParams,
  body: z.strictObject({
    enabled: z.boolean().optional(),
    daily_calls: z
      .number()
      .int()
      .min(0)
      .max(MOST_DAILY_CALLS)
      .nullable()
      .optional()
      .describe('Null: as many as the instance allows'),
  }),
  output: status,
  status: 200,
  run: (services, { tenant_id, ...change }) => services.judge.change(tenant_id, change),
});

export const judgeOperations = [getJudgeOperation, putJudgeOperation];
