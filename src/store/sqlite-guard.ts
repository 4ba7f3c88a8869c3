import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { isDamage } from './store-fault.ts';
import type { StoreState } from './store-state.ts';

const READS = /^\s*(?:select|explain|rollback)\b|^\s*pragma\s+\w+\s*$/i;

/**
 * Reports damage that a statement finds, at once. After that only reads run: a write to a damaged file could destroy
 * data that is still readable.
 */
export class GuardedConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #state: StoreState;
  readonly #onError: ((error: unknown) => void) | undefined;

  /** @param onError called with every statement error, before it is thrown to the caller */
  constructor(connection: DatabaseConnection, state: StoreState, onError?: (error: unknown) => void) {
    this.#connection = connection;
    this.#state = state;
    this.#onError = onError;
  }

  /** @throws StoreFault */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#rejectWrite(query);
    try {
      return await this.#connection.executeQuery<Row>(query);
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  /** @throws StoreFault */
  async *streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    try {
      yield* this.#connection.streamQuery<Row>(query, chunkSize ?? 1);
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  #rejectWrite({ sql, query }: CompiledQuery): void {
    const { fault } = this.#state;
    if (fault !== null && query.kind !== 'SelectQueryNode' && !READS.test(sql)) throw fault;
  }

  #faultOf(error: unknown): unknown {
    this.#onError?.(error);
    return isDamage(error) ? this.#state.reportDamage((error as Error).message, error) : error;
  }
}
