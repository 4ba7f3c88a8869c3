import { resolve } from 'node:path';
import { addonPath } from '../app/runtime-assets.ts';
import { AppError } from '../core/app-error.ts';
import { type HealingRoot, parseHealingRoot } from '../platforms/healing/healing-root.ts';
import { runningServer } from '../store/data-folder/folder-lock.ts';
import { readServerFile } from '../store/data-folder/server-file.ts';
import type { Io } from './io.ts';

/**
 * If anyone may register a tenant, a folder that is enabled for every tenant is accessible to anyone.
 * @throws AppError `usage`
 */
export function assertNoSharedRoots(roots: readonly HealingRoot[], isRegistrationOpen: boolean): void {
  const shared = roots.find(({ tenantId }) => tenantId === null);
  if (!isRegistrationOpen || shared === undefined) return;
  throw new AppError(
    'usage',
    `--healing-root ${shared.folder} is open to every tenant, and --open-registration lets anyone become one. Give it to one tenant: --healing-root TENANT_ID=${shared.folder}.`,
  );
}

/** Folders of MISSTEP_HEALING_ROOT, otherwise those of the server that runs on the data folder. */
export function localHealingRoots(dataFolder: string, env: Io['env']): HealingRoot[] {
  const named = toHealingRoots(undefined, env);
  if (named.length > 0 || !readServerFile(dataFolder)?.healingRoots.length) return named;
  return (runningServer(dataFolder, addonPath())?.healingRoots ?? []).map(parseHealingRoot);
}

/** Folders whose files healing may change; empty if none is named. */
export function toHealingRoots(flags: readonly string[] | undefined, env: Io['env']): HealingRoot[] {
  const named = flags ?? (env.MISSTEP_HEALING_ROOT ?? '').split(',');
  return named
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseHealingRoot)
    .map(({ folder, tenantId }) => ({ folder: resolve(folder), tenantId }));
}
