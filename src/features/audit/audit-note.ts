import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** What a service adds to the log's entry of the request that it works for. */
export interface AuditNote {
  objectId: string | null;
  /** Of what stood there before, and of what stands there then; hex. */
  digestBefore: string | null;
  digestAfter: string | null;
}

const notes = new AsyncLocalStorage<Partial<AuditNote>>();

/** Without effect outside of a request that is logged. */
export function noteAudit(note: Partial<AuditNote>): void {
  Object.assign(notes.getStore() ?? {}, note);
}

/** Runs `work` and gathers what is noted in it. */
export function withNotes<Result>(gathered: Partial<AuditNote>, work: () => Promise<Result>): Promise<Result> {
  return notes.run(gathered, work);
}

/** SHA-256, hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same of a text that comes in pieces. */
export async function digestOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
