import { getRawAsset } from 'node:sea';
import { Script } from 'node:vm';

type Wrapper = (require: unknown, module: { exports: unknown }, exports: unknown) => void;

/** Exports of a part of the executable, compiled with the code cache of the build. */
export function loadPart<Exports>(name: string, require: unknown): Exports {
  const script = new Script(Buffer.from(getRawAsset(`${name}.js`)).toString('latin1'), {
    filename: `${name}.js`,
    cachedData: Buffer.from(getRawAsset(`${name}.cache`)),
  });
  if (script.cachedDataRejected && process.env.MISSTEP_DEBUG)
    process.stderr.write(`misstep: the code cache of ${name} was rejected\n`);
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(require, module, module.exports);
  return module.exports as Exports;
}
