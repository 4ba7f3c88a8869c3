import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import { findApiKey } from '../../store/api-key.store.ts';
import { INSTANCE_NO } from '../../store/audit.store.ts';
import type { Database } from '../../store/schema.ts';
import type { SignInLinkTable } from '../../store/session-tables.ts';
import { consumeSignInLink, insertSignInLink, keepNewestSignInLinks } from '../../store/sign-in-link.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type Caller, SCOPES } from '../_kit/caller.ts';
import { hashSecret, newSecret } from './api-key.ts';
import { LINK_LIFETIME_MS } from './session-lifetime.ts';

/** Maximum stored links of a tenant; older ones are deleted. */
const MAX_LINKS = 50;
const NEW_LINK = 'Create another one with `misstep link`.';

export interface SignInLink {
  /** Sent in the fragment of the URL; works once. */
  token: string;
  expires_at: string;
}

/** The credential that opens a session: a key, a link, or the operator's credential. */
export type SessionOwner = Pick<SignInLinkTable, 'tenant_no' | 'key_id' | 'secret_hash' | 'scopes'>;

/** One-time links that open a session. Only the hash of a token is stored. */
export class SignInLinks {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ db, clock, random }: { db: Kysely<Database>; clock: Clock; random: Random }) {
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
  }

  /** A link with the scopes of the key, or with all scopes if the operator creates it. */
  async create(tenantNo: number, { keyId, scopes }: Pick<Caller, 'keyId' | 'scopes'>): Promise<SignInLink> {
    const key = keyId === null ? null : await findApiKey(this.#db, keyId);
    const secret_hash = key?.secret_hash ?? null;
    return this.#add({ tenant_no: tenantNo, key_id: keyId, secret_hash, scopes: scopes.join(' ') });
  }

  /** A link that signs in as the operator. */
  createForOperator(): Promise<SignInLink> {
    return this.#add({ tenant_no: INSTANCE_NO, key_id: null, secret_hash: null, scopes: SCOPES.join(' ') });
  }

  /** Marks the link as used. @throws AppError `unauthenticated` if it is unknown, used or expired */
  async consume(token: string): Promise<SessionOwner> {
    const now = this.#clock.now();
    const found = await inTransaction(this.#db, (transaction) =>
      consumeSignInLink(transaction, hashSecret(token), now),
    );
    if (found === null) throw invalidLink('unknown or expired');
    if (!found.isFirstUse) throw new AppError('unauthenticated', `The sign-in link was already used. ${NEW_LINK}`);
    if (found.link.expires_at <= now) throw invalidLink('expired');
    return found.link;
  }

  async #add(owner: SessionOwner): Promise<SignInLink> {
    const token = newSecret(this.#random);
    const now = this.#clock.now();
    const row = { ...owner, token_hash: hashSecret(token), created_at: now, expires_at: now + LINK_LIFETIME_MS };
    await inTransaction(this.#db, async (transaction) => {
      await insertSignInLink(transaction, { ...row, used_at: null });
      // Used and expired links are kept among them, so that the response can state why one does not work.
      await keepNewestSignInLinks(transaction, owner.tenant_no, MAX_LINKS);
    });
    return { token, expires_at: toRfc3339(row.expires_at) };
  }
}

function invalidLink(state: string): AppError {
  return new AppError('unauthenticated', `The sign-in link is ${state}. ${NEW_LINK}`);
}
