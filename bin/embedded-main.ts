import { createRequire } from 'node:module';
import { loadPart } from './embedded-part.ts';

type Main = typeof import('../src/cli/main.ts');

/** The program except the hot path. It loads SQLite's native addon from a file, which `require` in an embedded script cannot do. */
export async function loadMain(): Promise<Main> {
  return loadPart<Main>('rest', createRequire(process.execPath));
}
