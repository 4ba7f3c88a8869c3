import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from '../../client/backend.ts';
import { AppError } from '../../core/app-error.ts';
import { type Integration, productOf } from '../../core/integration.ts';
import type { CommandContext } from '../context.ts';
import { withProgress } from '../progress.ts';
import { count, counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { type Column, table } from '../views/table.ts';
import { type FetchedPlatform, type FetchedRegistration, fetchedPlatforms } from './fetched-platforms.ts';

export interface SyncStatusFlags {
  integration?: string;
}

export interface SyncFlags extends SyncStatusFlags {
  since?: string;
  full?: boolean;
  alert?: boolean;
}

const RUNNING_STATES: ReadonlySet<string> = new Set(['queued', 'running']);
const POLL_INTERVAL_MS = 300;
const NAMES_SHOWN = 20;

export async function sync(context: CommandContext, name: string | undefined, flags: SyncFlags): Promise<void> {
  const backend = await context.backend();
  const platforms = platformsOf(flags);
  const fetched = await request(context, backend, platforms, name, flags);
  const ids = new Set(fetched.map(({ id }) => id));
  const ended = await withProgress(context, 'Fetching', async () => {
    await backend.workOnSyncs(context.signal);
    const look = async () => (await statusOf(backend, platforms)).filter(({ id }) => ids.has(id));
    let now = await look();
    while (now.some(({ status }) => RUNNING_STATES.has(status)) && !context.signal.aborted) {
      await pause(POLL_INTERVAL_MS, undefined, { signal: context.signal }).catch(() => {});
      now = await look();
    }
    return now;
  });
  if (context.options.isJson) printJson(context, ended);
  else for (const each of ended) context.print.note(printableLine(`${each.name}: ${outcomeOf(each)}`));
  if (ended.some(({ status }) => status === 'failed'))
    throw new AppError('conflict', 'Not everything could be fetched.');
}

export async function showStatus(
  context: CommandContext,
  name: string | undefined,
  flags: SyncStatusFlags,
): Promise<void> {
  const all = await statusOf(await context.backend(), platformsOf(flags));
  const shown = name === undefined ? all : chosen(all, name);
  if (context.options.isJson) return printJson(context, shown);
  if (shown.length === 0) return context.print.note('No platform whose runs can be fetched is registered.');
  context.print.data(table(shown, COLUMNS, context.style));
  for (const { name, failure } of shown) if (failure !== null) context.print.warn(printableLine(`${name}: ${failure}`));
}

/** An error of one platform does not stop the others. */
async function request(
  context: CommandContext,
  backend: Backend,
  platforms: FetchedPlatform[],
  name: string | undefined,
  flags: SyncFlags,
): Promise<FetchedRegistration[]> {
  const registered = await statusOf(backend, platforms);
  if (name !== undefined) return requestNamed(backend, platforms, chosen(registered, name), flags);
  if (registered.length === 0) throw new AppError('conflict', 'No n8n instance and no Dify app is registered.');
  const fetched: FetchedRegistration[] = [];
  const errors: AppError[] = [];
  for (const platform of platforms.filter((each) => registered.some(isOf(each))))
    try {
      fetched.push(...(await platform.request(backend, null, flags)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      errors.push(error);
    }
  if (fetched.length === 0 && errors[0]) throw errors[0];
  for (const { message } of errors) context.print.warn(printableLine(message));
  return fetched;
}

async function requestNamed(
  backend: Backend,
  platforms: FetchedPlatform[],
  registrations: FetchedRegistration[],
  flags: SyncFlags,
): Promise<FetchedRegistration[]> {
  const fetched: FetchedRegistration[] = [];
  for (const platform of platforms)
    for (const { id } of registrations.filter(isOf(platform)))
      fetched.push(...(await platform.request(backend, id, flags)));
  return fetched;
}

function isOf({ integration }: FetchedPlatform): (registration: FetchedRegistration) => boolean {
  return (registration) => registration.integration === integration;
}

async function statusOf(backend: Backend, platforms: FetchedPlatform[]): Promise<FetchedRegistration[]> {
  const all: FetchedRegistration[] = [];
  for (const platform of platforms) all.push(...(await platform.status(backend)));
  return all;
}

function platformsOf({ integration }: SyncStatusFlags): FetchedPlatform[] {
  return fetchedPlatforms.filter((each) => integration === undefined || each.integration === integration);
}

/** Finds registrations by id, by the id or name of a Dify instance (all its apps), or by a unique name. */
function chosen(all: FetchedRegistration[], name: string): FetchedRegistration[] {
  const withId = all.filter(({ id }) => id === name);
  const named = all.filter((each) => each.name === name);
  const below = all.filter(({ parent }) => parent.includes(name));
  const [found] = [withId, named, below].filter(({ length }) => length > 0);
  if (found === undefined) throw new AppError('not_found', missing(all, name));
  if (found === named && named.length > 1)
    throw new AppError(
      'usage',
      `${named.length} are called ${name}: ${named.map(({ id }) => id).join(', ')}; give an id.`,
    );
  return found;
}

function missing(all: FetchedRegistration[], name: string): string {
  const names = all.slice(0, NAMES_SHOWN).map((each) => each.name);
  const known = all.length === 0 ? 'none is registered' : `there are ${names.join(', ')}`;
  return `There is no n8n instance or Dify app called ${name}; ${known}. Other platforms send their runs by webhook.`;
}

function printJson(context: CommandContext, registrations: FetchedRegistration[]): void {
  const items = registrations.map(({ integration, record }) => ({ integration, ...record }));
  context.print.json({ items, total: items.length });
}

function outcomeOf({ failure, read, taken, noun, next_run_at }: FetchedRegistration): string {
  if (failure !== null) return next_run_at === null ? failure : `${failure} Tried again at ${next_run_at}.`;
  return `${counted(read, noun)} read, ${counted(taken, 'trace')} taken.`;
}

const COLUMNS: Column<FetchedRegistration>[] = [
  { title: 'name', text: ({ name }) => name, limit: 40 },
  { title: 'integration', text: ({ integration }) => `${integration} (${productOf(integration as Integration)})` },
  { title: 'status', text: ({ status }) => status },
  { title: 'read', text: (row) => count(row.read), align: 'right' },
  { title: 'taken', text: (row) => count(row.taken), align: 'right' },
  { title: 'rejected', text: (row) => count(row.rejected), align: 'right' },
  { title: 'every', text: (row) => (row.every_minutes === null ? '–' : `${row.every_minutes} min`) },
  { title: 'finished', text: (row) => row.finished_at ?? '–' },
  { title: 'next', text: (row) => row.next_run_at ?? '–' },
  { title: 'id', text: (row) => row.id },
];
