import { type Signal, signal } from '@preact/signals-core';

/** The state of one query. */
export interface QueryState<Value> {
  value: Value | undefined;
  /** Error of the last attempt; undefined after a success. */
  error: unknown;
  isLoading: boolean;
}

export type Load<Value> = (signal: AbortSignal) => Promise<Value>;

interface Entry {
  state: Signal<QueryState<unknown>>;
  load: Load<unknown> | null;
  readers: number;
  loadedAt: number | null;
  running: AbortController | null;
}

/** A value younger than this is not refetched. */
const FRESH_MS = 30_000;
const MAX_ENTRIES = 200;

/**
 * Responses of the server by key. The old response stays available while a new one is fetched. A request without readers
 * is aborted.
 */
export class QueryCache {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  state<Value>(key: string): Signal<QueryState<Value>> {
    return this.#entryOf(key).state as Signal<QueryState<Value>>;
  }

  /** Subscribes to a key; fetches it if it is missing or stale. @returns ends the subscription */
  read<Value>(key: string, load: Load<Value>): () => void {
    const entry = this.#entryOf(key);
    entry.load = load;
    entry.readers += 1;
    if (!this.#isFresh(entry) && entry.running === null) void this.#fetch(entry);
    let isReading = true;
    return () => {
      if (!isReading) return;
      isReading = false;
      entry.readers -= 1;
      if (entry.readers > 0) return;
      this.#stop(entry);
      this.#trim();
    };
  }

  /**
   * Refetches each key that starts with one of the prefixes once: immediately if it has readers, otherwise at its next
   * read.
   * @returns resolves when the keys with readers are refetched
   */
  async invalidate(...prefixes: string[]): Promise<void> {
    const fetches: Promise<void>[] = [];
    // Iterate over a copy: reading a changed state moves its entry to the end of the map.
    for (const [key, entry] of [...this.#entries]) {
      if (!prefixes.some((prefix) => key.startsWith(prefix))) continue;
      entry.loadedAt = null;
      if (entry.readers > 0) fetches.push(this.#fetch(entry));
    }
    await Promise.all(fetches);
  }

  /** Changes the cached value of a key, for optimistic updates; a missing value stays missing. */
  patch<Value>(key: string, change: (value: Value) => Value): void {
    const state = this.#entries.get(key)?.state as Signal<QueryState<Value>> | undefined;
    const value = state?.peek().value;
    if (state && value !== undefined) state.value = { ...state.peek(), value: change(value) };
  }

  /** Keys that start with the prefix. */
  keys(prefix: string): string[] {
    return [...this.#entries.keys()].filter((key) => key.startsWith(prefix));
  }

  /** Clears the cache, for example after signing out. */
  clear(): void {
    for (const entry of [...this.#entries.values()]) {
      this.#stop(entry);
      entry.loadedAt = null;
      entry.state.value = EMPTY;
    }
    this.#trim(0);
  }

  #isFresh({ loadedAt }: Entry): boolean {
    return loadedAt !== null && this.#now() - loadedAt < FRESH_MS;
  }

  async #fetch(entry: Entry): Promise<void> {
    const { load } = entry;
    if (load === null) return;
    entry.running?.abort();
    const running = new AbortController();
    entry.running = running;
    entry.state.value = { ...entry.state.peek(), isLoading: true };
    const isCurrent = () => entry.running === running;
    try {
      const value = await load(running.signal);
      if (!isCurrent()) return;
      entry.loadedAt = this.#now();
      entry.state.value = { value, error: undefined, isLoading: false };
    } catch (error) {
      if (isCurrent()) entry.state.value = { ...entry.state.peek(), error, isLoading: false };
    } finally {
      if (isCurrent()) entry.running = null;
    }
  }

  /** The response of an aborted call is ignored. */
  #stop(entry: Entry): void {
    if (entry.running === null) return;
    entry.running.abort();
    entry.running = null;
    entry.state.value = { ...entry.state.peek(), isLoading: false };
  }

  #entryOf(key: string): Entry {
    const existing = this.#entries.get(key);
    if (existing) {
      this.#entries.delete(key);
      this.#entries.set(key, existing);
      return existing;
    }
    const entry: Entry = { state: signal(EMPTY), load: null, readers: 0, loadedAt: null, running: null };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Evicts the least recently read entry. */
  #trim(limit = MAX_ENTRIES): void {
    let excess = this.#entries.size - limit;
    for (const [key, { readers }] of this.#entries) {
      if (excess <= 0) return;
      if (readers > 0) continue;
      this.#entries.delete(key);
      excess -= 1;
    }
  }
}

const EMPTY: QueryState<unknown> = { value: undefined, error: undefined, isLoading: false };
