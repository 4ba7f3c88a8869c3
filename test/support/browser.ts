import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Libraries and fonts in addition to the browser, which small machines do not have. */
const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
const CACHE = resolve(import.meta.dirname, '../../.cache');

/** A browser of this machine: `MISSTEP_CHROMIUM`, or the first one on the path; null without one. */
const SYSTEM_BROWSER: string | null =
  process.env.MISSTEP_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file)) ??
  null;

/** The npm package holds a browser for Linux on x64. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';
export const hasBrowser: boolean = SYSTEM_BROWSER !== null || isPackaged;

/** Without a sandbox, which containers do not allow; it only opens our own pages. */
export async function startBrowser(...flags: string[]): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...flags];
  if (SYSTEM_BROWSER !== null) return chromium.launch({ executablePath: SYSTEM_BROWSER, args });
  const folder = await unpackedBrowser();
  const libraries = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
  // Written each time: a copied cache has another address.
  await writeFile(join(folder, 'fonts.conf'), fontSettings(folder));
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts.conf'), HOME: folder };
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: [...args, '--disable-gpu', '--font-render-hinting=none'],
    env: env as Record<string, string>,
  });
}

/** Unpacks the browser once for each version. If two processes do so at the same time, the first result is used. */
async function unpackedBrowser(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = createRequire(import.meta.url)(join(home, 'package.json')) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(join(folder, 'chromium'))) return folder;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'chromium-draft-'));
  const { inflate } = await import('@sparticuz/chromium');
  const before = process.env.TMPDIR;
  // The package can only unpack into the folder for temporary files.
  process.env.TMPDIR = draft;
  try {
    await Promise.all(ARCHIVES.map((name) => inflate(join(home, 'bin', name))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return folder;
}

/** The font settings of the package name folders of another system; without a font, texts have no width. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
${Object.entries(FONTS).map(fontAlias).join('\n')}
</fontconfig>
`;
}

/** Without these, the browser selects an arbitrary font for a generic family, and regular and bold text get different ones. */
const FONTS = {
  'system-ui': ['Open Sans', 'DejaVu Sans'],
  'sans-serif': ['Open Sans', 'DejaVu Sans'],
  'ui-monospace': ['DejaVu Sans Mono', 'Liberation Mono'],
  monospace: ['DejaVu Sans Mono', 'Liberation Mono'],
};

function fontAlias([family, fonts]: [string, string[]]): string {
  const preferred = fonts.map((font) => `<family>${font}</family>`).join('');
  return `  <alias binding="same"><family>${family}</family><prefer>${preferred}</prefer></alias>`;
}
