import { createRequire } from 'node:module';
import { loadPart } from './embedded-part.ts';

type Main = typeof import('../src/cli/main.ts');

/** The program beyond the hot path. It loads SQLite's native part from a file, which Node's own `require` here would not. */
export async function loadMain(): Promise<Main> {
  return loadPart<Main>('rest', createRequire(process.execPath));
}
