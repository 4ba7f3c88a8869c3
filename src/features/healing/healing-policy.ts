import { z } from 'zod';
import type { FixType } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';

export const FIX_TYPES = [
  'loop_guard',
  'retry_policy',
  'state_schema',
  'context_management',
  'budget_limit',
  'workflow_change',
  'tool_change',
  'input_guard',
  'prompt_change',
  'credential_change',
  'config_change',
] as const satisfies readonly FixType[];

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

const rule = z.strictObject({ max_risk: z.enum(RISKS).describe('Highest risk that is executed without approval') });
const fixType = z.enum(FIX_TYPES);

export const healingPolicy = z
  .object({
    policy: z.enum(['manual', 'auto']).describe('manual: a person approves every operation'),
    fix_types: z
      .partialRecord(fixType, rule)
      .describe('Kinds of fixes that are executed without approval if the policy is auto'),
    max_per_day: z.number().int().describe('Maximum operations per UTC day without approval'),
  })
  .meta({ id: 'HealingPolicy' });
export type HealingPolicy = z.input<typeof healingPolicy>;

export const healingPolicyChange = z.strictObject({
  policy: z.enum(['manual', 'auto']).optional(),
  fix_types: z
    .partialRecord(fixType, rule.nullable())
    .optional()
    .describe('Given members are set, null resets one, others are kept'),
  max_per_day: z.int().min(0).max(1_000).optional(),
});
export type HealingPolicyChange = z.output<typeof healingPolicyChange>;

export const DEFAULT_POLICY: HealingPolicy = { policy: 'manual', fix_types: {}, max_per_day: 5 };

/** As stored. */
export function readPolicy(stored: Json): HealingPolicy {
  return { ...DEFAULT_POLICY, ...(stored as Partial<HealingPolicy> | null) };
}

export function changePolicy(
  before: HealingPolicy,
  { policy, fix_types, max_per_day }: HealingPolicyChange,
): HealingPolicy {
  const rules = Object.entries({ ...before.fix_types, ...fix_types }).filter(([, value]) => value != null);
  return {
    policy: policy ?? before.policy,
    fix_types: Object.fromEntries(rules) as HealingPolicy['fix_types'],
    max_per_day: max_per_day ?? before.max_per_day,
  };
}

/** Facts about a change for the decision whether it needs approval. */
export interface Proposal {
  fixType: FixType;
  risk: Risk;
  isBreaking: boolean;
  /** The change is the fix's own, not one that was written for this operation. */
  isFromFix: boolean;
  isManual: boolean;
}

/** Whether it may be executed without approval. @param automaticToday automatic operations since midnight UTC */
export function needsNoApproval(
  { policy, fix_types, max_per_day }: HealingPolicy,
  proposal: Proposal,
  automaticToday: number,
): boolean {
  const { fixType, risk, isBreaking, isFromFix, isManual } = proposal;
  const highest = fix_types[fixType]?.max_risk;
  if (policy !== 'auto' || highest === undefined) return false;
  if (isBreaking || !isFromFix || isManual || automaticToday >= max_per_day) return false;
  return RISKS.indexOf(risk) <= RISKS.indexOf(highest);
}
