import { AppError } from '../../core/app-error.ts';
import { getHealingPolicyOperation, putHealingPolicyOperation } from '../../features/healing/healing.operations.ts';
import type { HealingPolicy } from '../../features/healing/healing-policy.ts';
import type { CommandContext } from '../context.ts';
import { facts } from '../views/facts.ts';

export interface HealPolicyFlags {
  manual?: boolean;
  auto?: boolean;
  allow?: string[];
  forbid?: string[];
  maxPerDay?: number;
}

export async function healPolicy(context: CommandContext, flags: HealPolicyFlags): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId() };
  const change = toChange(flags);
  const policy =
    change === null
      ? await backend.call(getHealingPolicyOperation, input)
      : await backend.call(putHealingPolicyOperation, { ...input, ...change });
  if (context.options.isJson) context.print.json(policy);
  else context.print.data(facts(factsOf(policy), context.style));
}

/** Null if nothing changes. The operation reports unknown members. */
function toChange({ manual, auto, allow = [], forbid = [], maxPerDay }: HealPolicyFlags) {
  const rules = [...allow.map(toRule), ...forbid.map((type) => [type, null] as const)];
  const change = {
    ...(manual ? { policy: 'manual' as const } : {}),
    ...(auto ? { policy: 'auto' as const } : {}),
    ...(rules.length > 0 ? { fix_types: Object.fromEntries(rules) as never } : {}),
    ...(maxPerDay === undefined ? {} : { max_per_day: maxPerDay }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

function toRule(text: string): readonly [string, { max_risk: string }] {
  const [type, risk] = text.split('=');
  if (type && risk) return [type, { max_risk: risk }];
  throw new AppError(
    'usage',
    `--allow takes a kind of fix and a risk such as loop_guard=low, not ${JSON.stringify(text)}.`,
  );
}

function factsOf({ policy, fix_types, max_per_day }: HealingPolicy): [string, string][] {
  const allowed = Object.entries(fix_types).map(([type, rule]) => `${type} up to ${rule?.max_risk} risk`);
  return [
    ['policy', policy === 'auto' ? 'auto' : 'manual: a person approves every operation'],
    ['without approval', policy === 'auto' ? allowed.join(', ') || 'nothing' : 'nothing'],
    ['at most', `${max_per_day} a day`],
  ];
}
