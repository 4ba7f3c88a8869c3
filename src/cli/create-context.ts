import type { AlertConfig } from '../app/config.ts';
import { readOperatorToken } from '../app/operator-token.ts';
import type { Backend } from '../client/backend.ts';
import type { OperatorCredential } from '../client/folder-credential.ts';
import type { FolderCorrection } from '../store/data-folder/check-data-folder.ts';
import type { toAlertConfig } from './alert-config.ts';
import type { CommandContext } from './context.ts';
import { hasStore, openEmptyStore } from './empty-store.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Io } from './io.ts';
import { createPrinter, type Printer } from './printer.ts';
import { counted } from './views/amounts.ts';
import { correctionLine } from './views/correction-line.ts';
import { printableLine } from './views/printable.ts';
import { createStyle } from './views/style.ts';

const DEFAULT_WIDTH = 100;

/** @returns the context and a function that closes everything the command opened */
export function createContext(
  options: GlobalOptions,
  io: Io,
  signal: AbortSignal,
): { context: CommandContext; close(): Promise<void> } {
  const print = createPrinter(io, options.isQuiet);
  let opened: Promise<Backend> | null = null;
  const context: CommandContext = {
    io,
    options,
    print,
    style: createStyle(options.isColored),
    width: io.stdout.columns || DEFAULT_WIDTH,
    backend: () => (opened ??= openBackend(options, io, print)),
    signal,
  };
  return { context, close: async () => (await opened?.catch(() => null))?.close() };
}

async function openBackend(options: GlobalOptions, io: Io, print: Printer): Promise<Backend> {
  const { server, dataFolder, tenant } = options;
  if (server !== null) {
    const { openRemoteBackend } = await import('../client/remote-backend.ts');
    const { createKeyTenantCache } = await import('../client/key-tenant-cache.ts');
    const operator = await operatorOf(options, server, print);
    return openRemoteBackend({ ...options, server, operator, knownTenants: createKeyTenantCache(dataFolder) });
  }
  const [
    { openApp },
    { openLocalBackend },
    { DEFAULT_CONFIG },
    alertConfig,
    { toIntegrationConfig },
    { localHealingRoots },
    { checkDataFolder },
    { localWebAddress },
  ] = await Promise.all([
    import('../app/open-app.ts'),
    import('../client/local-backend.ts'),
    import('../app/config.ts'),
    import('./alert-config.ts'),
    import('./integration-config.ts'),
    import('./healing-roots.ts'),
    import('../store/data-folder/check-data-folder.ts'),
    import('./local-web-address.ts'),
  ]);
  const { clock } = io;
  const onCorrection = (correction: FolderCorrection) => print.warn(correctionLine(correction));
  const checkFolder = (folder: string) => checkDataFolder(folder).forEach(onCorrection);
  const openIn = (folder: string) =>
    openApp(
      {
        ...DEFAULT_CONFIG,
        dataFolder: folder,
        alerts: alertConfigOf(io, print, alertConfig.toAlertConfig),
        healingRoots: localHealingRoots(dataFolder, io.env),
        integrations: toIntegrationConfig(io.env, undefined, true),
        webAddress: localWebAddress(dataFolder, io.env),
      },
      { clock, onCorrection },
    );
  return openLocalBackend({
    open: () => openIn(dataFolder),
    dataFolder,
    tenant,
    reading: options.isReading
      ? { hasStore: () => hasStore(dataFolder, checkFolder), openEmpty: () => openEmptyStore(openIn) }
      : null,
    now: () => clock.now(),
    onDrained: ({ torn, refused, rejections, failures }) => {
      if (torn > 0) print.warn(`misstep: ${counted(torn, 'record')} in the spool cut short by a crash`);
      if (refused > 0) print.warn(`misstep: ${counted(refused, 'record')} lost because the spool was full`);
      for (const { pointer, message } of rejections.slice(0, 5))
        print.warn(printableLine(`misstep: spool ${pointer}: ${message}`));
      if (rejections.length > 5) print.warn(`misstep: and ${rejections.length - 5} more`);
      for (const { file, error } of failures)
        print.warn(printableLine(`misstep: ${file} stays in the spool: ${messageOf(error)}`));
    },
  });
}

/** Mail settings may be readable for the server only, so a command that sends no mail works without them. */
function alertConfigOf({ env }: Io, print: Printer, read: typeof toAlertConfig): AlertConfig {
  try {
    return read(env, undefined);
  } catch (error) {
    print.note(printableLine(`misstep: no alerts from here: ${messageOf(error)}`));
    return { smtp: null, allowPrivateWebhooks: [] };
  }
}

/** The given operator credential, otherwise the one of the data folder if the server belongs to this folder. */
async function operatorOf(
  { operatorToken, dataFolder }: GlobalOptions,
  server: string,
  print: Printer,
): Promise<(() => Promise<OperatorCredential | null>) | null> {
  if (operatorToken !== null) return async () => ({ token: operatorToken, server });
  const { folderCredential } = await import('../client/folder-credential.ts');
  if (readOperatorToken(dataFolder) === null) return null;
  return async () => {
    const credential = await folderCredential(dataFolder, server);
    if (credential === null)
      print.note(
        printableLine(
          `misstep: ${server} is not the server of ${dataFolder}: the operator token there was not sent. Name the server's data folder with --data, or give MISSTEP_OPERATOR_TOKEN.`,
        ),
      );
    return credential;
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
