import { listAuditOperation, listInstanceAuditOperation } from '../../features/audit/audit.operations.ts';
import type { AuditRecord } from '../../features/audit/audit.record.ts';
import type { CommandContext } from '../context.ts';
import type { Column } from '../views/table.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface AuditFlags extends PageFlags {
  action?: string;
  actor?: string;
  object?: string;
  from?: string;
  to?: string;
  instance?: boolean;
}

export async function listAudit(context: CommandContext, flags: AuditFlags): Promise<void> {
  const backend = await context.backend();
  const filter = {
    ...pageInput(flags),
    action: flags.action,
    actor: flags.actor,
    object_id: flags.object,
    date_from: flags.from,
    date_to: flags.to,
  };
  const page = flags.instance
    ? await backend.call(listInstanceAuditOperation, filter)
    : await backend.call(listAuditOperation, { tenant_id: await backend.tenantId(), ...filter });
  printPage(context, page, COLUMNS, 'changes');
}

const COLUMNS: Column<AuditRecord>[] = [
  { title: 'at', text: (entry) => entry.at },
  { title: 'who', text: (entry) => entry.actor },
  { title: 'what', text: (entry) => entry.action },
  { title: 'object', text: (entry) => entry.object_id ?? '–', limit: 40 },
  { title: 'given', text: (entry) => entry.fields.join(', '), limit: 40 },
  { title: 'outcome', text: (entry) => entry.outcome },
];
