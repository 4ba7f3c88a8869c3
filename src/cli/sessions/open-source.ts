import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { agentFolders, cacheFolder } from '../../features/local-sessions/agent-folders.ts';
import type { CommandContext } from '../context.ts';
import type { SessionSource } from './session-source.ts';

/** Sessions of a server if one is named, otherwise those on this machine. @param excluded folders to omit */
export async function openSessionSource(context: CommandContext, excluded: readonly string[]): Promise<SessionSource> {
  const { io, options, signal } = context;
  if (options.server !== null) {
    const { RemoteSource } = await import('./remote-source.ts');
    return new RemoteSource(await context.backend());
  }
  const [{ LocalSource }, { addonPath }] = await Promise.all([
    import('./local-source.ts'),
    import('../../app/runtime-assets.ts'),
  ]);
  const machine = { platform: process.platform, env: io.env, home: homeOf() };
  const configured = (io.env.MISSTEP_SESSIONS_EXCLUDE ?? '').split(',').filter((folder) => folder !== '');
  return new LocalSource({
    folders: agentFolders(machine),
    cache: cacheFolder(machine),
    clock: io.clock,
    excluded: [...configured, ...excluded].map((folder) => resolve(io.cwd, withHome(folder, machine))),
    addonPath,
    signal,
  });
}

function withHome(folder: string, { env, home }: { env: CommandContext['io']['env']; home: string }): string {
  return folder === '~' || folder.startsWith('~/') ? `${env.HOME || home}${folder.slice(1)}` : folder;
}

/** The root folder for a user id without a passwd entry, which has no home folder. */
function homeOf(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
