import { AppError } from '../../core/app-error.ts';
import type { JsonObject } from '../../core/json.ts';
import {
  approveHealingOperation,
  checkHealingOperation,
  createHealingOperation,
  executeHealingOperation,
  rejectHealingOperation,
  resolveHealingOperation,
  rollbackHealingOperation,
} from '../../features/healing/healing.operations.ts';
import type { HealingRecord } from '../../features/healing/healing.record.ts';
import type { Resolution } from '../../features/healing/healing-state.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printHealing } from './operations.ts';

export interface HealPlanFlags {
  executor?: string;
  target?: string;
  file?: string;
  setting?: string;
  pointer?: string;
  patch?: string;
}

export interface NoteFlags {
  note?: string;
}

export async function planHealing(context: CommandContext, id: string, flags: HealPlanFlags): Promise<number> {
  const backend = await context.backend();
  const operation = await backend.call(createHealingOperation, {
    tenant_id: await backend.tenantId(),
    ...(id.startsWith('fix_') ? { fix_id: id } : { detection_id: id }),
    ...targetOf(flags),
    changes: flags.patch === undefined ? undefined : [{ format: 'json-patch', after: flags.patch }],
  });
  return printOutcome(context, operation);
}

/** @throws AppError `usage` for flags that name two targets */
function targetOf(flags: HealPlanFlags): { executor: string; target: JsonObject } {
  const { file, setting, executor, target, pointer } = flags;
  if ([file, setting, executor].filter((named) => named !== undefined).length > 1)
    throw new AppError('usage', 'Give one of --file, --setting and --executor.');
  const part: JsonObject = pointer === undefined ? {} : { pointer };
  if (file !== undefined) return { executor: 'config_file', target: { path: file, ...part } };
  if (setting !== undefined) return { executor: 'settings', target: { setting, ...part } };
  return { executor: executor ?? 'manual', target: { ...(target === undefined ? {} : readTarget(target)), ...part } };
}

function readTarget(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw new AppError('usage', '--target is not valid JSON.');
  }
}

const DECISIONS = { approve: approveHealingOperation, reject: rejectHealingOperation };

export async function decide(
  context: CommandContext,
  decision: keyof typeof DECISIONS,
  id: string,
  { note }: NoteFlags,
): Promise<number> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), operation_id: id, note };
  return printOutcome(context, await backend.call(DECISIONS[decision], input));
}

const ACTIONS = {
  execute: executeHealingOperation,
  rollback: rollbackHealingOperation,
  check: checkHealingOperation,
};

export async function act(context: CommandContext, name: keyof typeof ACTIONS, id: string): Promise<number> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), operation_id: id };
  return printOutcome(context, await backend.call(ACTIONS[name], input));
}

export async function resolveHealing(
  context: CommandContext,
  id: string,
  outcome: Resolution,
  { note }: NoteFlags,
): Promise<number> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), operation_id: id, outcome, note };
  printOutcome(context, await backend.call(resolveHealingOperation, input));
  return EXIT.clean;
}

/** A change that failed, or whose outcome is unknown, makes the command fail. */
function printOutcome(context: CommandContext, operation: HealingRecord): number {
  printHealing(context, operation);
  const next = NEXT[operation.status];
  if (next !== undefined && !context.options.isJson) context.print.note(next.replace('ID', operation.operation_id));
  return operation.status === 'failed' || operation.status === 'unknown' ? EXIT.failure : EXIT.clean;
}

const NEXT: Partial<Record<HealingRecord['status'], string>> = {
  pending_approval: 'Next: misstep heal approve ID',
  approved: 'Next: misstep heal execute ID',
  executing: 'Apply the change yourself, then: misstep heal resolve ID applied',
  unknown: 'Next: misstep heal check ID, then misstep heal resolve ID applied|failed',
};
