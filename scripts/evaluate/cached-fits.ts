import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeldOut } from './out-of-fold.ts';

/**
 * Cache of held-out answers in a folder, one file per model part: fitting takes minutes, scoring takes seconds. Answers of
 * other code are ignored. A change of the data is not detected: delete the folder then.
 * @param code changes when the fitting code changes
 */
export async function cachedOr<Answer>(
  folder: string | undefined,
  { name, code }: { name: string; code: string },
  runFit: () => Promise<HeldOut<Answer> | null>,
): Promise<HeldOut<Answer> | null> {
  if (folder === undefined) return runFit();
  const file = join(folder, `${name}.${code}.json`);
  if (existsSync(file)) return fromJson(JSON.parse(readFileSync(file, 'utf8')) as CachedFitJson<Answer>);
  const held = await runFit();
  if (held === null) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ outOfFold: listed(held.outOfFold), setLeftOut: listed(held.setLeftOut) }));
  return held;
}

interface CachedFitJson<Answer> {
  outOfFold: [string, Answer][] | null;
  setLeftOut: [string, Answer][] | null;
}

function fromJson<Answer>({ outOfFold, setLeftOut }: CachedFitJson<Answer>): HeldOut<Answer> {
  return {
    ...(outOfFold === null ? {} : { outOfFold: new Map(outOfFold) }),
    ...(setLeftOut === null ? {} : { setLeftOut: new Map(setLeftOut) }),
  };
}

function listed<Answer>(scores: ReadonlyMap<string, Answer> | undefined): [string, Answer][] | null {
  return scores === undefined ? null : [...scores];
}
