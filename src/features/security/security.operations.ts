import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { severity } from '../_kit/vocabulary.ts';
import { costTask, hallucinationTask, injectionTask, overflowTask } from './security.tasks.ts';

const READ = { kind: 'tenant', scope: 'read' } as const;
/** The longest input of any model, far more than a request needs. */
const MAX_TEXT = 4_000_000;
const text = z.string().max(MAX_TEXT);
const model = z.string().min(1).max(200).describe('Name of the model, also provider-qualified or dated');

export const checkInjectionOperation = defineOperation({
  id: 'security.check-injection',
  method: 'POST',
  path: '/security/injection/check',
  summary: 'Checks a text for prompt injection',
  access: READ,
  isOfCallersTenant: true,
  bodyLimit: 'documents',
  body: z.strictObject({
    text,
    channel: z
      .enum(['user', 'data'])
      .optional()
      .describe('`user`: written by a person; `data`: from a tool or document. Guessed if omitted'),
  }),
  output: z.object({
    is_injection: z.boolean(),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('Probability of an attack, where attacks and ordinary texts are equally frequent'),
    score: z.number().min(0).max(1).describe('A score of 0.5 or more counts as an injection'),
    channel: z.enum(['user', 'data']),
    attack_type: z.string().nullable(),
    severity: severity.nullable(),
    matches: z.array(z.object({ start: z.number().int(), end: z.number().int(), quote: z.string(), why: z.string() })),
    explanation: z.string(),
    in_run: z
      .object({
        reported: z.boolean().describe('As `info` or higher'),
        subtype: z.string().describe('`direct` for a user message, `indirect` for data'),
        confidence: z.number().nullable().describe('Null if the detector finds nothing in the text'),
        threshold: z.number().describe('Confidence from which the detector reports this subtype'),
        explanation: z.string().describe('One sentence with the reason'),
      })
      .describe(
        'What the detector `injection`, with the tenant’s settings, does with a run in which a model reads the text',
      ),
  }),
  status: 200,
  async run(services, { text, channel }, caller, callOptions) {
    const { tenantId } = caller;
    const tenant = tenantId === null ? undefined : await services.settings.ofTenant(tenantId);
    return services.textChecks.run(injectionTask, { text, channel, tenant }, { caller, ...callOptions });
  },
});

export const checkHallucinationOperation = defineOperation({
  id: 'security.check-hallucination',
  method: 'POST',
  path: '/security/hallucination/check',
  summary: 'Checks whether an output is supported by its sources',
  access: READ,
  body: z.strictObject({ output: text, sources: z.array(text).max(1_000) }),
  bodyLimit: 'documents',
  output: z.object({
    is_hallucination: z.boolean(),
    confidence: z.number().min(0).max(1),
    grounding_score: z.number().min(0).max(1).nullable().describe('Null where output and sources cannot be compared'),
    sentences: z.array(
      z.object({ text: z.string(), supported: z.boolean(), score: z.number(), missing: z.array(z.string()) }),
    ),
    explanation: z.string(),
  }),
  status: 200,
  run: (services, { output, sources }, caller, callOptions) =>
    services.textChecks.run(hallucinationTask, { output, sources }, { caller, ...callOptions }),
});

export const checkOverflowOperation = defineOperation({
  id: 'security.check-overflow',
  method: 'POST',
  path: '/security/overflow/check',
  summary: 'Computes how much of a model’s context window a text uses',
  access: READ,
  isOfCallersTenant: true,
  body: z.strictObject({ text, model }),
  bodyLimit: 'documents',
  output: z.object({
    tokens: z.number().int().describe('Estimated'),
    context_window: z.number().int(),
    utilization: z.number(),
    risk: z
      .enum(['ok', 'warning', 'critical'])
      .describe('By the tenant’s context_warning_ratio and context_critical_ratio'),
    recommendation: z.string(),
  }),
  status: 200,
  async run(services, input, caller, callOptions) {
    const { tenantId } = caller;
    const ratios = tenantId === null ? undefined : await services.thresholds.effective(tenantId);
    return services.textChecks.run(
      overflowTask,
      { text: input.text, model: input.model, ratios },
      { caller, ...callOptions },
    );
  },
});

export const calculateCostOperation = defineOperation({
  id: 'security.calculate-cost',
  method: 'POST',
  path: '/security/cost/calculate',
  summary: 'Computes the cost of a text as a model’s input',
  access: READ,
  body: z.strictObject({ text, model }),
  bodyLimit: 'documents',
  output: z.object({
    model: z.string(),
    input_tokens: z.number().int().describe('Estimated'),
    cost_usd: z.number(),
    price: z.object({
      input_per_million_usd: z.number().nullable(),
      output_per_million_usd: z.number().nullable(),
    }),
    as_of: z.string(),
  }),
  status: 200,
  run: (services, input, caller, callOptions) =>
    services.textChecks.run(costTask, { text: input.text, model: input.model }, { caller, ...callOptions }),
});

export const listModelsOperation = defineOperation({
  id: 'security.models',
  method: 'GET',
  path: '/security/models',
  summary: 'Models with their context windows and prices',
  access: READ,
  output: z.object({
    as_of: z.string(),
    items: z.array(
      z.object({
        model: z.string(),
        provider: z.string(),
        context_window: z.number().int().nullable(),
        input_per_million_usd: z.number().nullable(),
        output_per_million_usd: z.number().nullable(),
      }),
    ),
    total: z.number().int(),
  }),
  status: 200,
  run: async (services) => services.security.models(),
});

export const securityOperations = [
  checkInjectionOperation,
  checkHallucinationOperation,
  checkOverflowOperation,
  calculateCostOperation,
  listModelsOperation,
];
