import type { Scope } from '../../features/_kit/caller.ts';
import {
  createApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
} from '../../features/identity/api-key.operations.ts';
import type { ApiKeyRecord } from '../../features/identity/api-key.service.ts';
import { type PageFlags, pageInput } from '../browse/page-flags.ts';
import { printPage } from '../browse/print-page.ts';
import type { CommandContext } from '../context.ts';
import type { Column } from '../views/table.ts';
import { confirm, givenOrPrompted } from './prompt.ts';

export interface KeyFlags {
  name?: string;
  scopes: string;
  expires?: string;
}

export async function createKey(context: CommandContext, flags: KeyFlags): Promise<void> {
  const name = await givenOrPrompted(context, flags.name, '--name', 'What is the key for?');
  const backend = await context.backend();
  const key = await backend.call(createApiKeyOperation, {
    tenant_id: await backend.tenantId(),
    name,
    scopes: flags.scopes.split(',').map((scope) => scope.trim()) as Scope[],
    expires_at: flags.expires,
  });
  const { print, options } = context;
  if (options.isJson) return print.json(key);
  print.note(`Key ${key.key_id} created with the scopes ${key.scopes.join(', ')}. It is not shown again:`);
  print.data(`${key.api_key}\n`);
}

export async function listKeys(context: CommandContext, flags: PageFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listApiKeysOperation, { tenant_id: await backend.tenantId(), ...pageInput(flags) });
  printPage(context, page, keyColumns(context.io.clock.now()), 'keys');
}

export async function revokeKey(context: CommandContext, keyId: string, flags: { yes?: boolean }): Promise<void> {
  if (!(await confirm(context, flags.yes, `Revoke key ${keyId}? Clients that use it are rejected at once.`))) {
    return context.print.note('Nothing was revoked.');
  }
  const backend = await context.backend();
  await backend.call(revokeApiKeyOperation, { tenant_id: await backend.tenantId(), key_id: keyId });
  context.print.note(`Key ${keyId} revoked.`);
}

function keyColumns(nowMs: number): Column<ApiKeyRecord>[] {
  return [
    { title: 'key', text: (key) => key.key_id },
    { title: 'name', text: (key) => key.name, limit: 32 },
    { title: 'scopes', text: (key) => key.scopes.join(',') },
    { title: 'state', text: (key) => stateOf(key, nowMs) },
    { title: 'created', text: (key) => key.created_at },
    { title: 'last used', text: (key) => key.last_used_at ?? 'never' },
  ];
}

function stateOf({ revoked_at, expires_at }: ApiKeyRecord, nowMs: number): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return Date.parse(expires_at) <= nowMs ? 'expired' : `until ${expires_at}`;
}
