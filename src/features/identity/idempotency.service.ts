import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import type { Random } from '../../core/id.ts';
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  expireIdempotencyKeys,
  readIdempotencyKey,
  releaseIdempotencyKey,
} from '../../store/idempotency.store.ts';
import type { Database } from '../../store/schema.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { openResponse, sealResponse } from './sealed-response.ts';

export interface IdempotentRequest {
  /** 0 for the operator. */
  tenantNo: number;
  key: string;
  /** Hash of method, path, query and body: a repeated request must have the same hash. */
  requestHash: string;
  /** Encrypts a response that holds a secret; null for other responses. */
  sealingCredential: string | null;
}

export interface StoredResponse {
  status: number;
  /** JSON text. */
  body: string;
  isReplay: boolean;
}

export interface IdempotencyService {
  /**
   * Runs once per tenant and key within 24 h, and returns the first response to repeated requests. A failed run is
   * deleted, so that it can be retried.
   * @throws AppError `idempotency_conflict` for another request under the same key, `conflict` while the first one runs
   */
  once(request: IdempotentRequest, run: () => Promise<{ status: number; body: string }>): Promise<StoredResponse>;
}

const KEEP_MS = 24 * 3_600_000;
/** A request that runs longer was interrupted by a crash. */
const MAX_RUN_MS = 15 * 60_000;
const EXPIRE_EVERY_MS = 60_000;

export function createIdempotencyService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  leases: Pick<LeaseManager, 'owner'>;
}): IdempotencyService {
  const { db, clock, random } = options;
  let expiredAt = -Infinity;

  async function expire(): Promise<void> {
    const now = clock.now();
    if (isWithin(expiredAt, now, EXPIRE_EVERY_MS)) return;
    expiredAt = now;
    await expireIdempotencyKeys(db, { answeredBefore: now - KEEP_MS, startedBefore: now - MAX_RUN_MS });
  }

  async function claim({ tenantNo, key, requestHash }: IdempotentRequest): Promise<boolean> {
    await expire();
    const row = {
      tenant_no: tenantNo,
      idempotency_key: key,
      request_hash: requestHash,
      lease_owner: await options.leases.owner(),
      created_at: clock.now(),
    };
    return claimIdempotencyKey(db, row);
  }

  async function replay(request: IdempotentRequest): Promise<StoredResponse> {
    const row = await readIdempotencyKey(db, request.tenantNo, request.key);
    if (row && row.request_hash !== request.requestHash) {
      throw new AppError('idempotency_conflict', 'The Idempotency-Key was used for another request.');
    }
    if (!row || row.status === null || row.response === null) stillRunning();
    const { sealingCredential } = request;
    const body = sealingCredential === null ? row.response : openResponse(row.response, sealingCredential);
    if (body === null)
      throw new AppError(
        'conflict',
        'The first response contains a secret that is returned only to the same credential.',
      );
    return { status: row.status, body, isReplay: true };
  }

  return {
    async once(request, run) {
      if (!(await claim(request))) return replay(request);
      const { tenantNo, key, sealingCredential } = request;
      try {
        const { status, body } = await run();
        const response = sealingCredential === null ? body : sealResponse(body, sealingCredential, random);
        await completeIdempotencyKey(db, tenantNo, key, { status, response });
        return { status, body, isReplay: false };
      } catch (error) {
        // A key that cannot be released expires by itself; the caller needs the error of the run.
        await releaseIdempotencyKey(db, tenantNo, key).catch(() => {});
        throw error;
      }
    },
  };
}

function stillRunning(): never {
  throw new AppError('conflict', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 1,
  });
}
