import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { loadAsset } from '../src/app/runtime-assets.ts';

type Main = typeof import('../src/cli/main.ts');
type Wrapper = (require: NodeJS.Require, module: { exports: unknown }, exports: unknown) => void;

/** The program beyond the hot path: one function expression, compiled with the code cache that the build made. */
export async function loadMain(): Promise<Main> {
  const script = new Script(loadAsset('rest.js').toString('latin1'), {
    filename: 'misstep.js',
    cachedData: loadAsset('rest.cache'),
  });
  if (script.cachedDataRejected && process.env.MISSTEP_DEBUG)
    process.stderr.write('misstep: the code cache was rejected\n');
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(createRequire(process.execPath), module, module.exports);
  return module.exports as Main;
}
