import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BulkStatement } from './bulk-statement.ts';
import type { FigureTable } from './figure-tables.ts';
import { type OpenedStore, openStore } from './open-store.ts';

let store: OpenedStore;
beforeEach(async () => {
  store = await openStore({ file: ':memory:', durability: 'normal' }, { now: () => 0 });
});
afterEach(() => store.close());

const COLUMNS = ['tenant_no', 'name', 'label', 'value'] as const;
const insert = (columns: readonly (keyof FigureTable)[] = COLUMNS) => {
  let compiled = 0;
  const statement = new BulkStatement<FigureTable, Pick<FigureTable, 'label'>>({
    columns,
    build(db, rows) {
      compiled += 1;
      return db
        .insertInto('figures')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['tenant_no', 'name', 'label']).doUpdateSet({ value: -1 }))
        .returning('label')
        .compile();
    },
  });
  return { statement, compiled: () => compiled };
};
const rowsOf = (count: number, value = 1): FigureTable[] =>
  Array.from({ length: count }, (_, at) => ({ tenant_no: 1, name: 'n', label: String(at), value: value + at }));
const stored = async () => (await store.db.selectFrom('figures').selectAll().execute()) as FigureTable[];
const byLabel = (rows: FigureTable[]) => rows.sort((one, other) => Number(one.label) - Number(other.label));

describe('bulk statement', () => {
  it.each([0, 1, 7, 8, 9, 63, 64, 65, 200])('stores and returns each of %i rows', async (count) => {
    const { statement } = insert();
    const returned = await statement.run(store.db, rowsOf(count));
    expect(returned.map(({ label }) => Number(label)).sort((a, b) => a - b)).toEqual([...rowsOf(count).keys()]);
    expect(byLabel(await stored())).toEqual(rowsOf(count));
  });

  it('is compiled once per row count and keeps parameters after the values', async () => {
    const { statement, compiled } = insert();
    await statement.run(store.db, rowsOf(128));
    expect(compiled()).toBe(1);
    await statement.run(store.db, rowsOf(128, 1_000));
    expect(compiled()).toBe(1);
    expect((await stored()).map(({ value }) => value)).toEqual(Array(128).fill(-1));
  });

  it('rejects values that are not in the order of its columns', async () => {
    const { statement } = insert(['name', 'tenant_no', 'label', 'value']);
    await expect(statement.run(store.db, rowsOf(1))).rejects.toThrow('not in the order');
  });
});
