import { tenantOfCaller } from '../features/_kit/tenant-of-caller.ts';
import { authorize } from './authorize.ts';
import type { HttpContext } from './http-context.ts';
import type { RouterParts } from './operation-router.ts';
import type { CredentialReader } from './vendor-credential.ts';

const INGEST_ACCESS = { kind: 'tenant', scope: 'ingest' } as const;

/** Of a path that names no tenant: it is the credential's. @throws AppError `unauthenticated`, `forbidden` */
export async function tenantOfSender(
  { authenticate, services }: RouterParts,
  ctx: HttpContext,
  readCredential?: CredentialReader,
): Promise<string> {
  const caller = await authenticate(ctx, readCredential);
  await authorize(services, INGEST_ACCESS, caller, null, { isRegistrationOpen: false });
  return tenantOfCaller(caller);
}
