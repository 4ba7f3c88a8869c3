import { type Command, InvalidArgumentError, Option } from 'commander';
import { integrationNamed, PLATFORM_NAMES, type PlatformName } from '../../core/integration.ts';
import type { AddCommand } from '../add-command.ts';
import type { AddFlags, ChangeFlags, RegistrationListFlags } from '../browse/integrations.ts';
import { addPageFlags } from '../browse/page-flags.ts';
import type { SyncFlags, SyncStatusFlags } from '../browse/syncs.ts';

const FETCHED = PLATFORM_NAMES.filter(({ isFetched }) => isFetched);
const FETCHED_PRODUCTS = FETCHED.map(({ product }) => product).join(' and ');

const load = () => import('../browse/integrations.ts');
const loadSyncs = () => import('../browse/syncs.ts');

export const addIntegrations: AddCommand = (program, start) => {
  const integrations = program
    .command('integrations')
    .description('Register n8n and other platforms, and fetch runs from them.');
  addPageFlags(integrations.command('list').description('List registrations, newest first.'))
    .option('--integration <name>', 'only of this integration, such as n8n (flowplatform)', toIntegration)
    .option('--kind <kind>', 'only of this kind, such as instance')
    .action(async (flags: RegistrationListFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listRegistrations(context, flags)));
    });
  integrations
    .command('add')
    .description('Register a resource of a platform; the path and secret of its webhook are printed once.')
    .argument('<integration>', PLATFORM_NAMES.map(labelOf).join(', '))
    .argument('<kind>', 'instance, workflow, app, …')
    .requiredOption('--name <name>', 'display name')
    .option('--description <text>', 'description')
    .option('--url <url>', 'address of the platform')
    .addOption(pairs('--set <name=value>', 'further field, such as external_id=wf12; repeatable'))
    .addOption(pairs('--credential <name=file>', 'credential, read from a file (- for standard input); repeatable'))
    .option('--signed', 'require signed webhooks')
    .action(async (integration: string, kind: string, flags: AddFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).add(context, integration, kind, flags)));
    });
  integrations
    .command('change')
    .description('Change the given members of a registration.')
    .argument('<registration-id>')
    .option('--name <name>', 'display name')
    .option('--description <text>', 'description')
    .option('--url <url>', 'address of the platform')
    .addOption(pairs('--set <name=value>', 'further field, as for add; repeatable'))
    .addOption(pairs('--credential <name=file>', 'credential, read from a file (- for standard input); repeatable'))
    .option('--signed', 'require signed webhooks')
    .action(async (id: string, flags: ChangeFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).change(context, id, flags)));
    });
  integrations
    .command('check')
    .description('Test the connection to a platform with the stored URL and credentials.')
    .argument('<registration-id>')
    .action(async (id: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).checkConnection(context, id)));
    });
  integrations
    .command('rotate')
    .description('Create a new path and secret for its webhook; the old ones are revoked immediately.')
    .argument('<registration-id>')
    .option('-y, --yes', 'do not ask')
    .action(async (id: string, flags: { yes?: boolean }, command: Command) => {
      await start(command, async (context) => void (await (await load()).rotate(context, id, flags)));
    });
  integrations
    .command('remove')
    .description('Delete a registration with its dependants and credentials; its traces are kept.')
    .argument('<registration-id>')
    .option('-y, --yes', 'do not ask')
    .action(async (id: string, flags: { yes?: boolean }, command: Command) => {
      await start(command, async (context) => void (await (await load()).remove(context, id, flags)));
    });
  integrations
    .command('sync')
    .description(`Fetch new runs of ${FETCHED_PRODUCTS}.`)
    .argument(
      '[registration]',
      'id or name of an n8n instance, a Dify app, or a Dify instance with all its apps (default: all)',
    )
    .addOption(platformOption())
    .option('--since <date>', 'fetch again all runs that began at or after this time')
    .option('--full', 'fetch all again')
    .option('--alert', 'send alerts about detections, as for live traces')
    .action(async (name: string | undefined, flags: SyncFlags, command: Command) => {
      await start(command, async (context) => void (await (await loadSyncs()).sync(context, name, flags)));
    });
  integrations
    .command('status')
    .description(`Show the sync state of ${FETCHED_PRODUCTS}.`)
    .argument('[registration]', 'as for sync')
    .addOption(platformOption())
    .action(async (name: string | undefined, flags: SyncStatusFlags, command: Command) => {
      await start(command, async (context) => void (await (await loadSyncs()).showStatus(context, name, flags)));
    });
  integrations
    .command('discover')
    .description('List n8n workflows with their design problems.')
    .argument('[instance-id]', 'default: all instances')
    .action(async (id: string | undefined, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).discover(context, id)));
    });
};

/** `n8n (flowplatform)`: the product and the wire name are both accepted. */
function labelOf({ integration, product }: PlatformName): string {
  return `${product.toLowerCase()} (${integration})`;
}

function toIntegration(text: string): string {
  const found = integrationNamed(text);
  if (found !== null) return found;
  throw new InvalidArgumentError(`Allowed choices are ${PLATFORM_NAMES.map(labelOf).join(', ')}.`);
}

function toFetched(text: string): string {
  const found = FETCHED.find(({ integration }) => integration === integrationNamed(text));
  if (found !== undefined) return found.integration;
  throw new InvalidArgumentError(`Allowed choices are ${FETCHED.map(labelOf).join(', ')}.`);
}

/** A platform from which runs are fetched; the others send webhooks. */
function platformOption(): Option {
  return new Option('--integration <name>', `only of ${FETCHED.map(labelOf).join(' or ')}`).argParser(toFetched);
}

function pairs(flags: string, description: string): Option {
  return new Option(flags, description)
    .default({}, 'none')
    .argParser((text: string, before: Record<string, string>) => {
      const at = text.indexOf('=');
      if (at < 1) throw new InvalidArgumentError('Give it as name=value.');
      return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
    });
}
