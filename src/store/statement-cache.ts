import type { SqliteStatement } from 'kysely';

/** `busy`: it is being iterated. */
type Statement = SqliteStatement & { readonly busy: boolean };
interface PreparingDatabase {
  prepare(text: string): Statement;
  close(): void;
}

/** Enough for every statement that requests and jobs repeat. */
const MAX_STATEMENTS = 500;
/** A longer text is a one-off with a list in it; caching it would waste memory. */
const MAX_TEXT_LENGTH = 32_768;
const CHANGES_SCHEMA = /^\s*(?:create|alter|drop|vacuum|attach|detach)\b/i;

/** Caches prepared statements by their text, because Kysely prepares a statement again each time it runs. */
export class StatementCache {
  readonly #database: PreparingDatabase;
  /** In order of last use. */
  readonly #statements = new Map<string, Statement>();

  constructor(database: PreparingDatabase) {
    this.#database = database;
  }

  get size(): number {
    return this.#statements.size;
  }

  prepare(text: string): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) {
      this.#statements.delete(text);
      this.#statements.set(text, known);
      // A statement that is being iterated cannot run a second time.
      return known.busy ? this.#database.prepare(text) : known;
    }
    if (CHANGES_SCHEMA.test(text)) {
      // The columns of a cached statement may change.
      this.#statements.clear();
      return this.#database.prepare(text);
    }
    const statement = this.#database.prepare(text);
    if (text.length <= MAX_TEXT_LENGTH) this.#keep(text, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #keep(text: string, statement: Statement): void {
    this.#statements.set(text, statement);
    if (this.#statements.size <= MAX_STATEMENTS) return;
    this.#statements.delete(this.#statements.keys().next().value as string);
  }
}
