import type { Kysely } from 'kysely';

interface Tables {
  signing_keys: { kid: string; secret: string };
  settings: { tenant_no: number; name: string; value: string };
  instance: { name: string; value: string };
}

/**
 * `serve` seals stored secrets at its start, which no statement of a migration can do: it has no key. The entry of this
 * migration makes versions that would read sealed text as plain text refuse the database.
 */
export async function up(): Promise<void> {}

/** Versions before cannot open what is sealed: it is removed and must be entered again. */
export async function down(db: Kysely<unknown>): Promise<void> {
  const tables = db as Kysely<Tables>;
  await tables.deleteFrom('signing_keys').where('secret', 'like', 'sealed:1:%').execute();
  await tables
    .deleteFrom('settings')
    .where('name', '=', 'notifications')
    .where('value', 'like', '%"sealed:1:%')
    .execute();
  await tables.deleteFrom('instance').where('name', 'in', ['secrets_sealed', 'secret_key_check']).execute();
}
