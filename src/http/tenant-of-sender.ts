import { tenantOfCaller } from '../features/_kit/tenant-of-caller.ts';
import { authorize } from './authorize.ts';
import type { HttpContext } from './http-context.ts';
import type { RouterParts } from './operation-router.ts';

const INGEST_ACCESS = { kind: 'tenant', scope: 'ingest' } as const;

/** Of a path that names no tenant: it is the credential's. @throws AppError `unauthenticated`, `forbidden` */
export async function tenantOfSender({ authenticate, services }: RouterParts, ctx: HttpContext): Promise<string> {
  const caller = await authenticate(ctx);
  await authorize(services, INGEST_ACCESS, caller, null, { isRegistrationOpen: false });
  return tenantOfCaller(caller);
}
