import type { AnyOperation } from '../_kit/operation.ts';

/**
 * Whether an operation is refused while nothing can be stored. Reads are not, and no deletion is: it makes room, and a key
 * that leaked must be revocable on a full disk.
 */
export function needsStorage({ method, access, storesResult }: AnyOperation): boolean {
  if (storesResult !== undefined) return storesResult;
  if (method === 'GET' || method === 'DELETE' || access.kind === 'public') return false;
  return access.kind !== 'tenant' || access.scope !== 'read';
}
