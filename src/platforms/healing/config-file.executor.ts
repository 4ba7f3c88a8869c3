import { z } from 'zod';
import { changeText } from './change-text.ts';
import type { Change, Executor } from './executor.ts';
import { type HealingRoot, realPathWithin } from './healing-root.ts';
import { jsonPointer } from './json-pointer.ts';
import { rejectContent, rejectNoChange } from './reject-change.ts';
import { readTextFile, replaceTextFile } from './replace-file.ts';

const FORMATS = ['json', 'yaml', 'text'] as const;
type Format = (typeof FORMATS)[number];

const target = z.strictObject({
  path: z.string().min(1).max(1_000).describe('File, from a folder that the server was started with as --healing-root'),
  format: z.enum(FORMATS).optional().describe('Default: derived from the file name'),
  pointer: jsonPointer,
});
type Target = z.output<typeof target>;

/** How to edit a part of a file in one format. */
type EditText = (text: string, pointer: string, changes: readonly Change[]) => string;

/** Most commands never change a file: each parser is loaded with the first file of its format. */
const LOADERS: Readonly<Record<Format, () => Promise<EditText>>> = {
  json: async () => (await import('./edit-json-text.ts')).editJsonText,
  yaml: async () => (await import('./edit-yaml-text.ts')).editYamlText,
  text: async () => editPlainText,
};

/** A JSON, YAML or text file in a folder that the operator has enabled. `read` must precede `plan`, as for all executors. */
export function createConfigFileExecutor(roots: readonly HealingRoot[]): Executor<Target> {
  const editors = new Map<Format, EditText>();
  return {
    name: 'config_file',
    target,
    describe: ({ path, pointer }) => path + (pointer && ` ${pointer}`),
    async read({ tenantId }, { path, format }) {
      const kind = format ?? formatOf(path);
      editors.set(kind, await LOADERS[kind]());
      return { content: await readTextFile(await realPathWithin(roots, tenantId, path)), version: null };
    },
    plan({ path, format, pointer }, content, changes) {
      const edit = editors.get(format ?? formatOf(path));
      if (edit === undefined) throw new Error('a file must be read before its change is planned');
      return rejectNoChange(content, edit(content, pointer, changes));
    },
    async write({ tenantId }, { path }, content, expected) {
      await replaceTextFile(await realPathWithin(roots, tenantId, path), content, expected.content);
    },
  };
}

function editPlainText(text: string, pointer: string, changes: readonly Change[]): string {
  return pointer === '' ? changeText(text, changes) : rejectContent('a text file has no parts that a pointer names');
}

function formatOf(path: string): Format {
  if (/\.(json|jsonc)$/i.test(path)) return 'json';
  return /\.ya?ml$/i.test(path) ? 'yaml' : 'text';
}
