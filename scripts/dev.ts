import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { context } from 'esbuild';
import { toBundledWeb, WEB_OPTIONS } from './build/bundle-web.ts';

/** Runs the program from its sources and restarts it when they change; the web page is bundled again and reloads itself. */
const root = resolve(import.meta.dirname, '..');
const file = join(root, 'dist/parts/web.json');
/** Brotli level 1, because the page is compressed at every change. */
const FAST = 1;

mkdirSync(join(root, 'dist/parts'), { recursive: true });
const watched = await context({
  ...WEB_OPTIONS,
  minify: false,
  sourcemap: 'inline',
  inject: [join(root, 'src/web/dev/reload.ts')],
  plugins: [
    {
      name: 'write',
      setup: (setup) =>
        setup.onEnd((result) => {
          if (result.errors.length > 0) return;
          const { outputFiles, metafile } = result;
          if (!outputFiles || !metafile) return;
          writeFileSync(
            `${file}.new`,
            JSON.stringify(toBundledWeb({ ...result, outputFiles, metafile, mangleCache: undefined }, FAST)),
          );
          renameSync(`${file}.new`, file);
        }),
    },
  ],
});
await watched.watch();

const given = process.argv.slice(2);
const args = given.length > 0 ? given : ['serve'];
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', join(root, 'bin/misstep.ts'), ...args], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void server.kill(signal));
server.on('exit', async (code) => {
  await watched.dispose();
  process.exitCode = code ?? 1;
});
