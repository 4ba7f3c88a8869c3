import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../../migrations/column-types.ts';
import type { Migration } from '../../migrations/index.ts';
import { AppError } from '../core/app-error.ts';
import type { Clock } from '../core/clock.ts';
import type { StoreConnection } from './connection.ts';

/** Why this is not Kysely's migrator: docs/decisions/0025-own-migrator.md. */
interface MigrationDatabase {
  schema_migrations: { name: string; applied_at: number };
}

export interface MigrationStatus {
  name: string;
  appliedAt: number | null;
}

export interface Migrator {
  status(): Promise<MigrationStatus[]>;
  /** Names of the applied migrations, oldest first; with `isDryRun` the pending ones. */
  up(isDryRun?: boolean): Promise<string[]>;
  /** Reverts the newest one; with `isDryRun` only names it. */
  down(isDryRun?: boolean): Promise<string[]>;
}

/**
 * All pending migrations run in one transaction, so one that fails or is interrupted leaves the schema unchanged and usable by the
 * program that created it.
 * @throws AppError `database_newer` if the database has migrations that this program does not know.
 */
export function createMigrator(
  connection: StoreConnection,
  migrations: readonly Migration[],
  types: ColumnTypes,
  clock: Clock,
): Migrator {
  const db = connection.db as unknown as Kysely<MigrationDatabase>;

  async function readApplied(handle: Kysely<MigrationDatabase> = db): Promise<Map<string, number>> {
    const tables = await handle.introspection.getTables();
    if (!tables.some((table) => table.name === 'schema_migrations')) return new Map();
    const rows = await handle.selectFrom('schema_migrations').selectAll().orderBy('name').execute();
    const applied = new Map(rows.map((row) => [row.name, row.applied_at]));
    assertNotNewer([...applied.keys()], migrations);
    return applied;
  }

  async function up(isDryRun = false): Promise<string[]> {
    const pending = await readPending();
    if (isDryRun || pending.length === 0) return pending.map((migration) => migration.name);
    await createMigrationTable(db);
    return db.transaction().execute(async (transaction) => {
      // Another process may have migrated in the meantime: pending migrations are determined under the write lock.
      const pending = await readPending(transaction);
      for (const migration of pending) {
        await migration.up(transaction as unknown as Kysely<unknown>, types);
        await transaction
          .insertInto('schema_migrations')
          .values({ name: migration.name, applied_at: clock.now() })
          .execute();
      }
      return pending.map((migration) => migration.name);
    });
  }

  async function readPending(handle: Kysely<MigrationDatabase> = db): Promise<Migration[]> {
    const applied = await readApplied(handle);
    return migrations.filter((migration) => !applied.has(migration.name));
  }

  async function down(isDryRun = false): Promise<string[]> {
    const applied = await readApplied();
    const last = migrations.findLast((migration) => applied.has(migration.name));
    if (!last) return [];
    if (!isDryRun) {
      await db.transaction().execute(async (transaction) => {
        await last.down(transaction as unknown as Kysely<unknown>, types);
        await transaction.deleteFrom('schema_migrations').where('name', '=', last.name).execute();
      });
    }
    return [last.name];
  }

  async function status(): Promise<MigrationStatus[]> {
    const applied = await readApplied();
    return migrations.map(({ name }) => ({ name, appliedAt: applied.get(name) ?? null }));
  }

  return { status, up, down };
}

function assertNotNewer(applied: string[], migrations: readonly Migration[]): void {
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length === 0) return;
  throw new AppError(
    'database_newer',
    `The database was written by a newer Misstep (it has ${unknown.join(', ')}). Use that version, or a backup from before.`,
  );
}

async function createMigrationTable(db: Kysely<MigrationDatabase>): Promise<void> {
  await db.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
}
