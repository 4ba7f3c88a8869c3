import {
  getHealingOperation,
  healingHistoryOperation,
  listHealingOperation,
} from '../../features/healing/healing.operations.ts';
import type { HealingRecord, HealingSummary } from '../../features/healing/healing.record.ts';
import type { HealingStatus } from '../../features/healing/healing-state.ts';
import type { PageFlags } from '../browse/page-flags.ts';
import { pageInput } from '../browse/page-flags.ts';
import { printPage } from '../browse/print-page.ts';
import type { CommandContext } from '../context.ts';
import { facts } from '../views/facts.ts';
import { fixOutcomeText, runsAfterFixText } from '../views/fix-outcome-text.ts';
import { printable } from '../views/printable.ts';
import type { Column } from '../views/table.ts';

export interface HealListFlags extends PageFlags {
  status?: HealingStatus;
  type?: string;
  detection?: string;
}

export async function listHealing(context: CommandContext, flags: HealListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listHealingOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    status: flags.status,
    fix_type: flags.type as HealingSummary['fix_type'] | undefined,
    detection_id: flags.detection,
  });
  printPage(context, page, COLUMNS, 'operations');
}

export async function listHistory(context: CommandContext, flags: PageFlags): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), ...pageInput(flags) };
  printPage(context, await backend.call(healingHistoryOperation, input), HISTORY_COLUMNS, 'operations');
}

export async function showHealing(context: CommandContext, operationId: string): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), operation_id: operationId };
  printHealing(context, await backend.call(getHealingOperation, input));
}

/** The operation, and the change as a patch. */
export function printHealing({ options, print, style }: CommandContext, operation: HealingRecord): void {
  if (options.isJson) {
    print.json(operation);
    return;
  }
  print.data(facts(factsOf(operation), style));
  for (const { description, patch } of operation.plan)
    print.data(`\n${style.bold(printable(description))}\n${printable(patch).trimEnd()}\n`);
}

function factsOf(operation: HealingRecord): [string, string][] {
  const approvals = operation.approvals.map(({ by, at, note }) => [by ?? 'token', at, note ?? ''].join(' ').trim());
  const all: [string, string | null][] = [
    ['operation', operation.operation_id],
    ['status', operation.status],
    ['fix', `${operation.title} (${operation.fix_type}, ${operation.risk} risk)`],
    ['detection', operation.detection_id],
    ['issue', operation.issue && `${operation.issue.title} (${operation.issue.status}, ${operation.issue.issue_id})`],
    ['changes', `${operation.target_text} (${operation.executor})`],
    ['policy', operation.policy],
    ['approved', approvals.join('; ') || null],
    ['applied', operation.applied_at],
    ['since then', operation.fix_outcome && fixOutcomeText(operation.fix_outcome)],
    ['rolled back', operation.rolled_back_at],
    ['last check', operation.verification && `${operation.verification.found} at ${operation.verification.checked_at}`],
    ['error', operation.error],
    ['note', operation.note],
    ['rollback', operation.rollback.available ? 'possible' : null],
  ];
  return all.filter((fact): fact is [string, string] => fact[1] !== null);
}

const COLUMNS: Column<HealingSummary>[] = [
  { title: 'created', text: (operation) => operation.created_at },
  { title: 'status', text: (operation) => operation.status },
  { title: 'fix', text: (operation) => operation.title, limit: 40 },
  { title: 'changes', text: (operation) => operation.target_text, limit: 32 },
  { title: 'by', text: (operation) => operation.executor },
  { title: 'operation', text: (operation) => operation.operation_id },
];

const HISTORY_COLUMNS: Column<HealingSummary>[] = [
  { title: 'applied', text: (operation) => operation.applied_at ?? '–' },
  { title: 'status', text: (operation) => operation.status },
  { title: 'since then', text: ({ fix_outcome }) => (fix_outcome === null ? '–' : runsAfterFixText(fix_outcome)) },
  ...COLUMNS.slice(2),
];
