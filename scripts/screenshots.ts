import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Dashboard } from '../test/support/dashboard.ts';
import { startReceiver } from '../test/support/webhook-receiver.ts';
import { listPictures, openPicture, type Picture } from './screenshots/pictures.ts';

/**
 * Takes pictures of every view with data, without data and failing, light and dark, at three widths: `dist/screenshots/*.png`.
 * `npm run screenshots -- [VIEW …] [--theme light|dark] [--width N]`
 */
const folder = resolve(import.meta.dirname, '../dist/screenshots');
const { values, positionals: names } = parseArgs({
  options: { theme: { type: 'string' }, width: { type: 'string' } },
  allowPositionals: true,
});
const WIDTHS = [1440, 768, 320].filter((width) => values.width === undefined || width === Number(values.width));
const THEMES = (['light', 'dark'] as const).filter((theme) => values.theme === undefined || theme === values.theme);

const dashboard = new Dashboard();
const receiver = await startReceiver();
try {
  await dashboard.start('--allow-private-webhooks', '127.0.0.0/8', '--allow-private-platforms', '127.0.0.0/8');
  mkdirSync(folder, { recursive: true });
  const pictures = await listPictures(dashboard, `${receiver.url}/hook`);
  for (const picture of pictures.filter(({ name }) => names.length === 0 || names.includes(name)))
    for (const colorScheme of THEMES) for (const width of WIDTHS) await draw(picture, colorScheme, width);
} finally {
  await dashboard.stop();
  await receiver.close();
}

async function draw(picture: Picture, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const { page } = await openPicture(dashboard, picture, { colorScheme, viewport: { width, height: 900 } });
  // The window is as high as the page, so that sticky elements are in their final position.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: join(folder, `${picture.name}-${colorScheme}-${width}.png`) });
  await page.context().close();
}
