import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import { addPageFlags, type PageFlags } from '../browse/page-flags.ts';
import type { KeyFlags } from '../identity/keys.ts';

const load = () => import('../identity/keys.ts');

export const addKeys: AddCommand = (program, start) => {
  const keys = program.command('keys').description("Manage a tenant's API keys.");
  keys
    .command('create')
    .description('Create a key and print it once.')
    .option('--name <name>', 'its purpose; prompted on a terminal')
    .option('--scopes <scopes>', 'scopes: ingest, read, write, admin', 'ingest,read')
    .option('--expires <date>', 'time of expiry, RFC 3339')
    .action(async (flags: KeyFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).createKey(context, flags)));
    });
  addPageFlags(keys.command('list').description('List keys, oldest first, without their secrets.')).action(
    async (flags: PageFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listKeys(context, flags)));
    },
  );
  keys
    .command('revoke')
    .description('Revoke a key immediately.')
    .argument('<key-id>')
    .option('-y, --yes', 'do not ask')
    .action(async (keyId: string, flags: { yes?: boolean }, command: Command) => {
      await start(command, async (context) => void (await (await load()).revokeKey(context, keyId, flags)));
    });
};
