import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openStore } from '../src/store/open-store.ts';

it('docs/storage.md states the limit of each table', async () => {
  const text = readFileSync('docs/storage.md', 'utf8').split('\n## Retention\n')[1]!;
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!));
  const store = await openStore({ file: ':memory:', durability: 'normal' }, { now: () => 0 });
  const tables = (await store.db.introspection.getTables()).map(({ name }) => name);
  await store.close();
  expect(named.sort()).toEqual(tables.filter((name) => name !== 'schema_migrations').sort());
});
