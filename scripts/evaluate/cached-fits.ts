import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeldOut } from './out-of-fold.ts';

/**
 * Held-out answers kept in a folder, one file a piece, because fitting takes minutes and scoring seconds. Those of other
 * code are not taken. Whoever changes the data throws the folder away: that nothing here notices.
 * @param code another text where the code that makes them has changed
 */
export async function cachedOr<Answer>(
  folder: string | undefined,
  { name, code }: { name: string; code: string },
  make: () => Promise<HeldOut<Answer> | null>,
): Promise<HeldOut<Answer> | null> {
  if (folder === undefined) return make();
  const file = join(folder, `${name}.${code}.json`);
  if (existsSync(file)) return fromJson(JSON.parse(readFileSync(file, 'utf8')) as Kept<Answer>);
  const held = await make();
  if (held === null) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ outOfFold: listed(held.outOfFold), setLeftOut: listed(held.setLeftOut) }));
  return held;
}

interface Kept<Answer> {
  outOfFold: [string, Answer][] | null;
  setLeftOut: [string, Answer][] | null;
}

function fromJson<Answer>({ outOfFold, setLeftOut }: Kept<Answer>): HeldOut<Answer> {
  return {
    ...(outOfFold === null ? {} : { outOfFold: new Map(outOfFold) }),
    ...(setLeftOut === null ? {} : { setLeftOut: new Map(setLeftOut) }),
  };
}

function listed<Answer>(scores: ReadonlyMap<string, Answer> | undefined): [string, Answer][] | null {
  return scores === undefined ? null : [...scores];
}
