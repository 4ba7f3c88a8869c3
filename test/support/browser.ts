import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser of this machine: `MISSTEP_CHROMIUM`, or the first one on the path; null where there is none. */
export const BROWSER_PATH: string | null =
  process.env.MISSTEP_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file)) ??
  null;

/** Without its sandbox, which containers do not allow: it only opens pages of our own. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER_PATH!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
