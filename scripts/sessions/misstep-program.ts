import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fieldsOf, listOf, textOf } from './json-value.ts';
import { type ProductSession, productSession, unreadableSession } from './product-session.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 30;

/** Imports one file into a new store and returns the product's figures of it. */
export async function importAndShow(command: readonly string[], file: string): Promise<ProductSession> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-recount-'));
  const settings = join(folder, 'settings.json');
  await writeFile(settings, '{}');
  const misstep = async (...args: string[]) => {
    const [program = 'misstep', ...before] = command;
    const env = { ...process.env, MISSTEP_DATA: join(folder, 'data'), MISSTEP_CONFIG: settings };
    const { stdout } = await run(program, [...before, ...args], { env, maxBuffer: MAX_OUTPUT_BYTES });
    return stdout;
  };
  try {
    await misstep('import', file);
    const listed = listOf(fieldsOf(JSON.parse(await misstep('traces', 'list', '--json'))).items);
    const shown: unknown[] = [];
    for (const item of listed) {
      const id = textOf(fieldsOf(item).trace_id);
      shown.push(JSON.parse(await misstep('traces', 'show', id, '--json')));
    }
    return productSession(shown);
  } catch (error) {
    return unreadableSession(messageOf(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function messageOf(error: unknown): string {
  const text = textOf(fieldsOf(error).stderr) || String(error);
  return text.trim().split('\n').slice(0, 2).join(' ').slice(0, 300);
}
