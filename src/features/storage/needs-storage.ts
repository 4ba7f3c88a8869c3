import type { AnyOperation } from '../_kit/operation.ts';

/**
 * Whether an operation is rejected while nothing can be stored. Reads and deletions are not rejected: a deletion frees
 * space, and a leaked key must be revocable on a full disk.
 */
export function needsStorage({ method, access, storesResult }: AnyOperation): boolean {
  if (storesResult !== undefined) return storesResult;
  if (method === 'GET' || method === 'DELETE' || access.kind === 'public') return false;
  return access.kind !== 'tenant' || access.scope !== 'read';
}
