import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { TargetNotEnabledError } from './target-not-enabled-error.ts';

/** A folder whose files may be changed. */
export interface HealingRoot {
  folder: string;
  /** The tenant whose operations may change them; null: every tenant. */
  tenantId: string | null;
}

const TENANT_ROOT = /^(ten_[0-9a-z]{26})=(.+)$/s;

/** `FOLDER`, or `TENANT_ID=FOLDER` for one tenant only. */
export function parseHealingRoot(text: string): HealingRoot {
  const [, tenantId = null, folder = text] = TENANT_ROOT.exec(text) ?? [];
  return { folder, tenantId };
}

/** The text from which `parseHealingRoot` reads this root. */
export function healingRootText({ folder, tenantId }: HealingRoot): string {
  return tenantId === null ? folder : `${tenantId}=${folder}`;
}

/**
 * The real path of a file in one of the folders. A path that leaves its folder, by `..` or a symbolic link, is rejected with
 * the same message as a missing file, so that no one can probe for files outside.
 * @throws TargetNotEnabledError if no folder is enabled for the tenant @throws AppError `invalid_body`
 */
export async function realPathWithin(roots: readonly HealingRoot[], tenantId: string, path: string): Promise<string> {
  const open = roots.filter((root) => root.tenantId === null || root.tenantId === tenantId);
  if (open.length === 0)
    throw new TargetNotEnabledError(
      'No folder is enabled for changes to files: start the server with --healing-root, or set MISSTEP_HEALING_ROOT for a command without a server.',
    );
  for (const { folder } of open) {
    const real = await realPathIn(folder, path);
    if (real !== null) return real;
  }
  throw new AppError('invalid_body', 'The file does not exist.', {
    errors: [{ pointer: '/target/path', message: 'is not a file in a folder that is enabled for changes' }],
  });
}

async function realPathIn(folder: string, path: string): Promise<string | null> {
  if (path.includes('\0') || isAbsolute(path) || path.split(/[\\/]/).includes('..')) return null;
  try {
    const root = await realpath(folder);
    const real = await realpath(join(root, path));
    return isInside(relative(root, real)) ? real : null;
  } catch {
    return null;
  }
}

function isInside(way: string): boolean {
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
