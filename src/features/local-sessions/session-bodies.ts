import { readFileSync } from 'node:fs';

/** Source of a whole session: its files, or a body that was assembled from many. */
export type FullInput = { paths: string[] } | { body: Uint8Array };

/** @throws Error of the file system */
export function bodiesOf(input: FullInput): Buffer[] {
  return 'paths' in input ? input.paths.map((path) => readFileSync(path)) : [Buffer.from(input.body)];
}
