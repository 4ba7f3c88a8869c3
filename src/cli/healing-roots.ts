import { resolve } from 'node:path';
import { type HealingRoot, parseHealingRoot } from '../platforms/healing/healing-root.ts';
import type { Io } from './io.ts';

/** Folders whose files healing may change; none where nobody names one. */
export function toHealingRoots(flags: readonly string[] | undefined, env: Io['env']): HealingRoot[] {
  const named = flags ?? (env.MISSTEP_HEALING_ROOT ?? '').split(',');
  return named
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseHealingRoot)
    .map(({ folder, tenantId }) => ({ folder: resolve(folder), tenantId }));
}
