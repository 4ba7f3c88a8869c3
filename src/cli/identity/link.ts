import { addonPath } from '../../app/runtime-assets.ts';
import {
  createOperatorLinkOperation,
  createSignInLinkOperation,
} from '../../features/identity/sign-in-link.operations.ts';
import { runningServer } from '../../store/data-folder/folder-lock.ts';
import type { CommandContext } from '../context.ts';

export async function printLink(context: CommandContext, { operator }: { operator?: boolean }): Promise<undefined> {
  const { print, options } = context;
  const backend = await context.backend();
  const link = operator
    ? await backend.call(createOperatorLinkOperation, {})
    : await backend.call(createSignInLinkOperation, { tenant_id: await backend.tenantId() });
  if (options.isJson) return void print.json(link);
  print.data(`${link.url}\n`);
  print.note(`It works once, until ${link.expires_at}.`);
  if (options.server === null && runningServer(options.dataFolder, addonPath()) === null)
    print.note('No server runs on this data folder: start one with `misstep serve`.');
}
