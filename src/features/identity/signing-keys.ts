import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Database, SigningKeyTable } from '../../store/schema.ts';
import {
  deleteSigningKeysRetiredBefore,
  insertSigningKey,
  listSigningKeys,
  retireSigningKeys,
  writeSigningSecret,
} from '../../store/signing-key.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { isSealed, openText, sealText } from '../sealing/sealed-text.ts';
import type { SigningKey } from './access-token.ts';
import type { HasStoreChanged } from './store-changes.ts';

const REREAD_MS = 60_000;
/** Minimum interval between two database reads for an unknown key id. */
const REREAD_UNKNOWN_MS = 1_000;

interface SigningKeyOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  hasStoreChanged(): HasStoreChanged;
  cipher: Cipher;
  tokenLifetimeMs: number;
}

/** Keys that sign access tokens, cached; a change by another process is noticed without a restart. */
export class SigningKeys {
  readonly #options: SigningKeyOptions;
  readonly #hasStoreChanged: HasStoreChanged;
  #rows: SigningKeyTable[] = [];
  #readAt = -Infinity;

  constructor(options: SigningKeyOptions) {
    this.#options = options;
    this.#hasStoreChanged = options.hasStoreChanged();
  }

  /** The newest key; creates the first one. */
  async current(): Promise<SigningKey> {
    const { cipher } = this.#options;
    const known = (await this.#rowsNotOlderThan(REREAD_MS)).find((row) => row.retired_at === null);
    // A key that was encrypted with another secret key is replaced.
    return (known && toKey(known, cipher)) ?? toKey(await this.#rotate(), cipher) ?? throwUnreadableKey();
  }

  /** Null for an unknown key, or one that was retired longer ago than the lifetime of a token. */
  async findSecret(kid: string): Promise<Uint8Array | null> {
    const row =
      (await this.#rowsNotOlderThan(REREAD_MS)).find((each) => each.kid === kid) ??
      (await this.#rowsNotOlderThan(REREAD_UNKNOWN_MS)).find((each) => each.kid === kid);
    return row && (row.retired_at === null || row.retired_at > this.#usableSince())
      ? (toKey(row, this.#options.cipher)?.secret ?? null)
      : null;
  }

  async rotate(): Promise<{ kid: string; createdAt: number }> {
    const row = await this.#rotate();
    return { kid: row.kid, createdAt: row.created_at };
  }

  async #rowsNotOlderThan(ms: number): Promise<SigningKeyTable[]> {
    const { db, clock } = this.#options;
    if (this.#hasStoreChanged() || !isWithin(this.#readAt, clock.now(), ms)) {
      this.#readAt = clock.now();
      this.#rows = await listSigningKeys(db);
    }
    return this.#rows;
  }

  /** Retired keys stay usable for longer than a token: another process signs with them until it reads the keys again. */
  #usableSince(): number {
    const { clock, tokenLifetimeMs } = this.#options;
    return clock.now() - tokenLifetimeMs - REREAD_MS;
  }

  async #rotate(): Promise<SigningKeyTable> {
    const { db, clock, random, cipher } = this.#options;
    const kid = newId('sig', clock, random);
    const row: SigningKeyTable = {
      kid,
      secret: sealText(cipher, Buffer.from(random(32)).toString('base64url'), ownerOf(kid)),
      created_at: clock.now(),
      retired_at: null,
    };
    await inTransaction(db, async (transaction) => {
      await retireSigningKeys(transaction, clock.now());
      await deleteSigningKeysRetiredBefore(transaction, this.#usableSince());
      await insertSigningKey(transaction, row);
    });
    this.#readAt = -Infinity;
    return row;
  }
}

/** Null if it was encrypted with another secret key. */
function toKey({ kid, secret }: SigningKeyTable, cipher: Cipher): SigningKey | null {
  const text = openText(cipher, secret, ownerOf(kid));
  return text === null ? null : { kid, secret: Buffer.from(text, 'base64url') };
}

function ownerOf(kid: string): string {
  return `signing-key/${kid}`;
}

function throwUnreadableKey(): never {
  throw new Error('a new signing key cannot be opened');
}

/** Encrypts the signing keys that are stored as plain text. */
export async function sealSigningKeys(db: Kysely<Database>, cipher: Cipher): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (const { kid, secret } of await listSigningKeys(transaction)) {
      if (!isSealed(secret)) await writeSigningSecret(transaction, kid, sealText(cipher, secret, ownerOf(kid)));
    }
  });
}
