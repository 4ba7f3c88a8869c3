import { AppError } from '../../core/app-error.ts';
import { setRetentionOperation } from '../../features/deletion/deletion.operations.ts';
import {
  createTenantOperation,
  deleteTenantOperation,
  getTenantOperation,
  listTenantsOperation,
} from '../../features/identity/tenant.operations.ts';
import type { TenantRecord } from '../../features/identity/tenant.service.ts';
import { type PageFlags, pageInput } from '../browse/page-flags.ts';
import { printPage } from '../browse/print-page.ts';
import type { CommandContext } from '../context.ts';
import { facts } from '../views/facts.ts';
import { printableLine } from '../views/printable.ts';
import type { Column } from '../views/table.ts';
import { confirm, givenOrPrompted } from './prompt.ts';

export async function createTenant(context: CommandContext, flags: { name?: string }): Promise<void> {
  const name = await givenOrPrompted(context, flags.name, '--name', 'Name of the tenant');
  const tenant = await (await context.backend()).call(createTenantOperation, { name });
  const { print, options } = context;
  if (options.isJson) return print.json(tenant);
  print.note(`Tenant ${tenant.tenant_id} created. Its API key is not shown again:`);
  print.data(`${tenant.api_key}\n`);
}

export async function listTenants(context: CommandContext, flags: PageFlags): Promise<void> {
  const page = await (await context.backend()).call(listTenantsOperation, pageInput(flags));
  printPage(context, page, COLUMNS, 'tenants');
}

export async function showTenant(context: CommandContext, named: string | undefined): Promise<void> {
  const backend = await context.backend();
  const tenant = await backend.call(getTenantOperation, { tenant_id: named ?? (await backend.tenantId()) });
  if (context.options.isJson) return context.print.json(tenant);
  const rows: [string, string][] = [
    ['tenant', tenant.tenant_id],
    ['name', tenant.name],
    ['created', tenant.created_at],
  ];
  context.print.data(facts(rows, context.style));
}

export async function setTenant(
  context: CommandContext,
  named: string | undefined,
  { retention }: { retention: string },
): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: named ?? (await backend.tenantId()), retention_days: toRetention(retention) };
  const set = await backend.call(setRetentionOperation, input);
  if (context.options.isJson) return context.print.json(set);
  const days = set.retention_days === null ? 'forever' : `${set.retention_days} days`;
  context.print.data(`Traces are kept ${days}${RETENTION_SOURCE_TEXT[set.source]}.\n`);
}

const RETENTION_SOURCE_TEXT = { tenant: '', default: ', as the server does', plan: ', as the plan allows' } as const;

function toRetention(text: string): number | null | 'default' {
  if (text === 'off') return null;
  if (text === 'default') return text;
  const days = Number(text);
  if (Number.isInteger(days) && days > 0) return days;
  throw new AppError('usage', `--retention takes days, off or default, not ${JSON.stringify(text)}.`);
}

export async function deleteTenant(context: CommandContext, tenantId: string, flags: { yes?: boolean }): Promise<void> {
  const backend = await context.backend();
  const { name } = await backend.call(getTenantOperation, { tenant_id: tenantId });
  const question = `Delete tenant ${printableLine(name)} (${tenantId}) with its keys, traces and detections?`;
  if (!(await confirm(context, flags.yes, question))) return context.print.note('Nothing was deleted.');
  await backend.call(deleteTenantOperation, { tenant_id: tenantId });
  context.print.note(`Tenant ${tenantId} deleted.`);
}

const COLUMNS: Column<TenantRecord>[] = [
  { title: 'tenant', text: (tenant) => tenant.tenant_id },
  { title: 'name', text: (tenant) => tenant.name, limit: 48 },
  { title: 'created', text: (tenant) => tenant.created_at },
];
