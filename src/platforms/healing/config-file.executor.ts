import { z } from 'zod';
import { changeText } from './change-text.ts';
import { editJsonText } from './edit-json-text.ts';
import { editYamlText } from './edit-yaml-text.ts';
import type { Executor } from './executor.ts';
import { type HealingRoot, realPathWithin } from './healing-root.ts';
import { jsonPointer } from './json-pointer.ts';
import { refuseNoChange, refuseText } from './refuse-change.ts';
import { readTextFile, replaceTextFile } from './replace-file.ts';

const FORMATS = ['json', 'yaml', 'text'] as const;
type Format = (typeof FORMATS)[number];

const target = z.strictObject({
  path: z.string().min(1).max(1_000).describe('File, from a folder that the server was started with as --healing-root'),
  format: z.enum(FORMATS).optional().describe('Told by the name of the file where it is left out'),
  pointer: jsonPointer,
});
type Target = z.output<typeof target>;

/** A JSON, YAML or text file in a folder that the operator has opened. */
export function createConfigFileExecutor(roots: readonly HealingRoot[]): Executor<Target> {
  return {
    name: 'config_file',
    target,
    describe: ({ path, pointer }) => path + (pointer && ` ${pointer}`),
    async read({ tenantId }, { path }) {
      return { content: await readTextFile(await realPathWithin(roots, tenantId, path)), version: null };
    },
    plan: (to, content, changes) => refuseNoChange(content, edited(to, content, changes)),
    async write({ tenantId }, { path }, content, expected) {
      await replaceTextFile(await realPathWithin(roots, tenantId, path), content, expected.content);
    },
  };
}

function edited({ path, format, pointer }: Target, content: string, changes: Parameters<typeof changeText>[1]): string {
  switch (format ?? formatOf(path)) {
    case 'json':
      return editJsonText(content, pointer, changes);
    case 'yaml':
      return editYamlText(content, pointer, changes);
    default:
      return pointer === ''
        ? changeText(content, changes)
        : refuseText('a text file has no parts that a pointer names');
  }
}

function formatOf(path: string): Format {
  if (/\.(json|jsonc)$/i.test(path)) return 'json';
  return /\.ya?ml$/i.test(path) ? 'yaml' : 'text';
}
