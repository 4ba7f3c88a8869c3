import { runHotPath } from '../src/cli/hot-path.ts';
import { loadMain } from './load-main.ts';

/** Files of Misstep contain traces and secrets, so only their owner may read them. */
const OWNER_ONLY = 0o077;

async function run(argv: readonly string[]): Promise<number> {
  process.umask(OWNER_ONLY);
  const hot = await runHotPath(argv);
  if (hot !== null) return hot;
  const { main } = await loadMain();
  return main(argv);
}

run(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    process.stderr.write(`misstep: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 3;
  },
);
