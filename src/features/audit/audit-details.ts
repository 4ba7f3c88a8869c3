import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** Details that a service adds to the audit log entry of the current request. */
export interface AuditDetails {
  objectId: string | null;
  /** Id of the operation that was done, if one operation stands for several. */
  action: string;
  /** The request was answered without any change: it leaves no entry. */
  isUnchanged: boolean;
  /** Digests of the content before and after; hex. */
  digestBefore: string | null;
  digestAfter: string | null;
}

const notes = new AsyncLocalStorage<Partial<AuditDetails>>();

/** No effect outside a logged request. */
export function addAuditDetails(note: Partial<AuditDetails>): void {
  Object.assign(notes.getStore() ?? {}, note);
}

/** Runs `work` and collects its notes. */
export function collectAuditDetails<Result>(
  gathered: Partial<AuditDetails>,
  work: () => Promise<Result>,
): Promise<Result> {
  return notes.run(gathered, work);
}

/** SHA-256, hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same for a text in chunks. */
export async function digestOfChunks(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
