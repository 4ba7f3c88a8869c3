import { readFileSync } from 'node:fs';

/** What the whole session is read from: its files, or a body that was put together from many. */
export type FullInput = { paths: string[] } | { body: Uint8Array };

/** @throws Error of the file system */
export function bodiesOf(input: FullInput): Buffer[] {
  return 'paths' in input ? input.paths.map((path) => readFileSync(path)) : [Buffer.from(input.body)];
}
