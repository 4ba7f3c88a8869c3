import type { CompiledQuery } from 'kysely';
import type { Db } from './connection.ts';

/** Row counts that a statement is compiled for, largest first: few texts, so that each stays prepared. */
const ROW_COUNTS = [64, 8, 1];

export interface BulkStatementOptions<Row extends object> {
  /** The columns of the list of values, in the order in which `build` names them. */
  columns: readonly (keyof Row & string)[];
  /** Compiles the statement over rows; its parameters must begin with their values. */
  build(db: Db, rows: readonly Row[]): CompiledQuery;
}

/** Inserts rows with one compiled statement per row count, because compiling costs more than running it. */
export class BulkStatement<Row extends object, Result = unknown> {
  readonly #options: BulkStatementOptions<Row>;
  readonly #compiled = new Map<number, { query: CompiledQuery; tail: readonly unknown[] }>();

  constructor(options: BulkStatementOptions<Row>) {
    this.#options = options;
  }

  /** @returns what the statements return, in no particular order */
  async run(db: Db, rows: readonly Row[]): Promise<Result[]> {
    const results: Result[] = [];
    for (let at = 0; at < rows.length; ) {
      const count = ROW_COUNTS.find((size) => size <= rows.length - at) as number;
      const answer = await db.executeQuery(this.#compile(db, rows.slice(at, at + count)));
      for (const row of answer.rows) results.push(row as Result);
      at += count;
    }
    return results;
  }

  #compile(db: Db, rows: readonly Row[]): CompiledQuery {
    const { columns, build } = this.#options;
    const values = rows.flatMap((row) => columns.map((column) => row[column]));
    let known = this.#compiled.get(rows.length);
    if (known === undefined) {
      const query = build(db, rows);
      if (values.some((value, at) => value !== query.parameters[at]))
        throw new Error(`the values of a bulk statement are not in the order ${columns.join(', ')}`);
      known = { query, tail: query.parameters.slice(values.length) };
      this.#compiled.set(rows.length, known);
    }
    return { ...known.query, parameters: [...values, ...known.tail] };
  }
}
