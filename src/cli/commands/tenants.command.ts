import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import { addPageFlags, type PageFlags } from '../browse/page-flags.ts';

const load = () => import('../identity/tenants.ts');

export const addTenants: AddCommand = (program, start) => {
  const tenants = program
    .command('tenants')
    .description('Manage tenants. On a server this requires the operator credential.');
  tenants
    .command('create')
    .description('Create a tenant and print its first API key.')
    .option('--name <name>', 'its name; prompted on a terminal')
    .action(async (flags: { name?: string }, command: Command) => {
      await start(command, async (context) => void (await (await load()).createTenant(context, flags)));
    });
  addPageFlags(tenants.command('list').description('List tenants, oldest first.')).action(
    async (flags: PageFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listTenants(context, flags)));
    },
  );
  tenants
    .command('show')
    .description('Show a tenant; defaults to your own.')
    .argument('[tenant-id]')
    .action(async (tenantId: string | undefined, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showTenant(context, tenantId)));
    });
  tenants
    .command('set')
    .description('Change settings of a tenant; defaults to your own.')
    .argument('[tenant-id]')
    .requiredOption(
      '--retention <days>',
      'delete traces this many days after they arrive; off: never; default: as the server does',
    )
    .action(async (tenantId: string | undefined, flags: { retention: string }, command: Command) => {
      await start(command, async (context) => void (await (await load()).setTenant(context, tenantId, flags)));
    });
  tenants
    .command('delete')
    .description('Delete a tenant and all its data.')
    .argument('<tenant-id>')
    .option('-y, --yes', 'do not ask')
    .action(async (tenantId: string, flags: { yes?: boolean }, command: Command) => {
      await start(command, async (context) => void (await (await load()).deleteTenant(context, tenantId, flags)));
    });
};
