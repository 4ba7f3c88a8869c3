import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { loadAsset } from '../src/app/runtime-assets.ts';

type Wrapper = (require: NodeJS.Require, module: { exports: unknown }, exports: unknown) => void;

/** What a part of the executable exports: one function expression, compiled with the code cache that the build made. */
export function loadPart<Exports>(name: string): Exports {
  const script = new Script(loadAsset(`${name}.js`).toString('latin1'), {
    filename: 'misstep.js',
    cachedData: loadAsset(`${name}.cache`),
  });
  if (script.cachedDataRejected && process.env.MISSTEP_DEBUG)
    process.stderr.write(`misstep: the code cache of ${name} was rejected\n`);
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(createRequire(process.execPath), module, module.exports);
  return module.exports as Exports;
}
