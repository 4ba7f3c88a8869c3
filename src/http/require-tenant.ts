import { tenantOfCaller } from '../features/_kit/tenant-of-caller.ts';
import { authorize } from './authorize.ts';
import type { HttpContext } from './http-context.ts';
import type { RouterParts } from './operation-router.ts';
import type { CredentialReader } from './vendor-credential.ts';

const INGEST_ACCESS = { kind: 'tenant', scope: 'ingest' } as const;

/** The tenant of the credential, for a path that names none. @throws AppError `unauthenticated`, `forbidden` */
export async function requireTenant(
  { authenticate, services }: RouterParts,
  ctx: HttpContext,
  readCredential?: CredentialReader,
): Promise<string> {
  const caller = await authenticate(ctx, readCredential);
  await authorize(services, INGEST_ACCESS, caller, null, { isRegistrationOpen: false });
  return tenantOfCaller(caller);
}
