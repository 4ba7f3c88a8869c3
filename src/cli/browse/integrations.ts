import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { AppError } from '../../core/app-error.ts';
import { integrationNamed, productOf } from '../../core/integration.ts';
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { AnyOperation } from '../../features/_kit/operation.ts';
import {
  changeRegistrationOperation,
  checkConnectionOperation,
  listRegistrationsOperation,
  removeRegistrationOperation,
  rotateWebhookOperation,
} from '../../features/integrations/integration.operations.ts';
import type { RegistrationRecord, WebhookAccess } from '../../features/integrations/registration.record.ts';
import { kindOperations } from '../../features/integrations/registration-operations.ts';
import type { DiscoveredWorkflow } from '../../features/n8n/discovery.record.ts';
import { discoverOperation } from '../../features/n8n/n8n.operations.ts';
import { integrationSources } from '../../features/platforms.ts';
import type { CommandContext } from '../context.ts';
import { confirm } from '../identity/prompt.ts';
import { count } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import { printableLine } from '../views/printable.ts';
import { type Column, table } from '../views/table.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface RegistrationListFlags extends PageFlags {
  integration?: string;
  kind?: string;
}

export interface AddFlags {
  name: string;
  description?: string;
  url?: string;
  set: Record<string, string>;
  credential: Record<string, string>;
  signed?: boolean;
}

export type ChangeFlags = Omit<AddFlags, 'name'> & { name?: string };

export async function listRegistrations(context: CommandContext, flags: RegistrationListFlags): Promise<void> {
  const backend = await context.backend();
  const { integration, kind } = flags;
  const input = {
    ...pageInput(flags),
    ...(integration ? { integration: integration as never } : {}),
    ...(kind ? { kind } : {}),
  };
  printPage(context, await backend.call(listRegistrationsOperation, input), REGISTRATION_COLUMNS, 'registrations');
}

export async function add(context: CommandContext, integration: string, kind: string, flags: AddFlags): Promise<void> {
  const found = kindOf(integration, kind);
  const backend = await context.backend();
  const created = (await backend.call(found.operation, (await fieldsOf(context, flags)) as never)) as JsonObject & {
    webhook?: WebhookAccess;
  };
  if (context.options.isJson) return context.print.json(created);
  context.print.note(`Registered as ${created[found.idName]}.`);
  if (created.webhook) printAccess(context, created.webhook);
}

export async function change(context: CommandContext, id: string, flags: ChangeFlags): Promise<void> {
  const fields = await fieldsOf(context, flags);
  if (Object.keys(fields).length === 0) throw new AppError('usage', 'Give a field to change, such as --name or --set.');
  const backend = await context.backend();
  const input = { ...fields, registration_id: id };
  const changed = await backend.call(changeRegistrationOperation(integrationSources), input);
  if (context.options.isJson) return context.print.json(changed);
  context.print.note(printableLine(`${changed.name} is changed.`));
}

/** The request body for registering and changing, from the flags. */
async function fieldsOf(context: CommandContext, flags: ChangeFlags): Promise<JsonObject> {
  return {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(flags.url === undefined ? {} : { url: flags.url }),
    ...Object.fromEntries(Object.entries(flags.set).map(([name, value]) => [name, typed(value)])),
    ...(await credentialsOf(context, flags.credential)),
    ...(flags.signed ? { signed: true } : {}),
  };
}

/** Numbers, booleans and null are parsed, everything else is text. */
function typed(value: string): Json {
  const parsed = parseJson(value);
  return typeof parsed === 'number' || typeof parsed === 'boolean' || parsed === null ? parsed : value;
}

function kindOf(platform: string, name: string): { operation: AnyOperation; idName: string } {
  const integration = integrationNamed(platform);
  const source = integrationSources.find((each) => each.integration === integration);
  const kind = source?.kinds.find((each) => each.name === name);
  const operation = kindOperations(integrationSources).find(({ id }) => id === `${integration}.register-${name}`);
  if (kind && operation) return { operation, idName: kind.idName };
  const known = integrationSources.flatMap((each) =>
    each.kinds.map((one) => `${productOf(each.integration).toLowerCase()} ${one.name}`),
  );
  throw new AppError('usage', `There is no ${platform} ${name}; there are ${known.join(', ')}.`);
}

/** Credentials are read from files, so that they do not appear in the process list. */
async function credentialsOf({ io }: CommandContext, files: Record<string, string>): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, file] of Object.entries(files)) {
    try {
      values[name] = (file === '-' ? await text(io.stdin) : await readFile(file, 'utf8')).trim();
    } catch (error) {
      throw new AppError('usage', `--credential ${name}: ${(error as Error).message}`);
    }
  }
  return values;
}

export async function rotate(context: CommandContext, id: string, { yes }: { yes?: boolean }): Promise<void> {
  if (
    !(await confirm(
      context,
      yes,
      `Rotate the webhook of ${id}? Senders that use its current address are rejected at once.`,
    ))
  )
    return context.print.note('Nothing was changed.');
  const backend = await context.backend();
  const rotated = await backend.call(rotateWebhookOperation, { registration_id: id });
  if (context.options.isJson) context.print.json(rotated);
  else printAccess(context, rotated.webhook);
}

/** @throws AppError `unreachable` if the platform is not connected, which sets the exit code */
export async function checkConnection(context: CommandContext, id: string): Promise<void> {
  const backend = await context.backend();
  const checked = await backend.call(checkConnectionOperation, { registration_id: id });
  if (context.options.isJson) context.print.json(checked);
  if (!checked.is_connected) throw new AppError('unreachable', checked.problem ?? 'It is not connected.');
  if (!context.options.isJson) context.print.note(`${id} answers, and accepts the credentials.`);
}

export async function remove(context: CommandContext, id: string, { yes }: { yes?: boolean }): Promise<void> {
  if (!(await confirm(context, yes, `Delete ${id} with its dependants and credentials?`)))
    return context.print.note('Nothing was removed.');
  const backend = await context.backend();
  await backend.call(removeRegistrationOperation, { registration_id: id });
  context.print.note(`${id} removed.`);
}

export async function discover(context: CommandContext, id: string | undefined): Promise<void> {
  const backend = await context.backend();
  const found = await backend.call(discoverOperation, id === undefined ? {} : { instance_id: id });
  if (context.options.isJson) return context.print.json(found);
  for (const { instance_id, message } of found.problems)
    context.print.warn(printableLine(`${instance_id}: ${message}`));
  if (found.total === 0) return context.print.note('There are no workflows.');
  context.print.data(table(found.items, WORKFLOW_COLUMNS, context.style));
  for (const { name, findings } of found.items)
    for (const problem of findings)
      context.print.data(`\n${printableLine(`${name}: ${problem.explanation} ${problem.suggested_action}`)}\n`);
}

function printAccess({ print, style }: CommandContext, { path, secret }: WebhookAccess): void {
  print.note('Its webhook, not shown again:');
  const rows: [string, string][] = [
    ['path', path],
    ['secret', secret],
  ];
  print.data(facts(rows, style));
}

const REGISTRATION_COLUMNS: Column<RegistrationRecord>[] = [
  { title: 'name', text: ({ name }) => name, limit: 40 },
  { title: 'integration', text: ({ integration }) => `${integration} (${productOf(integration)})` },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'url', text: ({ url }) => url ?? '–', limit: 50 },
  { title: 'credentials', text: ({ credentials }) => credentials.join(',') || '–' },
  { title: 'last event', text: (row) => row.last_event_at ?? 'never' },
  { title: 'registration', text: (row) => row.registration_id },
];

const WORKFLOW_COLUMNS: Column<DiscoveredWorkflow>[] = [
  { title: 'name', text: ({ name }) => name, limit: 40 },
  { title: 'active', text: ({ active }) => (active ? 'yes' : 'no') },
  { title: 'nodes', text: (row) => count(row.node_count), align: 'right' },
  { title: 'detections', text: ({ findings }) => findings.map(({ subtype }) => subtype).join(', ') || '–' },
  { title: 'registered', text: (row) => row.registration_id ?? '–' },
  { title: 'id in n8n', text: (row) => row.external_id },
];
