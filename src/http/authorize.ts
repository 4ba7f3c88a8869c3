import { AppError, type ErrorCode } from '../core/app-error.ts';
import type { Caller } from '../features/_kit/caller.ts';
import type { Access } from '../features/_kit/operation.ts';
import type { Services } from '../features/services.ts';

/** Whether a request without the operator's credential may register a tenant. */
export interface RegistrationPolicy {
  isRegistrationOpen: boolean;
  /** The transaction that creates the tenant must check again that it is the first one. */
  isForFirstTenantOnly?: boolean;
}

/** The reason to reject the caller; null if access is allowed. `tenantId` is from the path, null if the path has none. */
export function accessErrorOf(
  access: Access,
  caller: Caller,
  tenantId: string | null,
  policy: RegistrationPolicy,
): ErrorCode | null {
  if (access.kind === 'public' || caller.isOperator) return null;
  if (access.kind === 'registration' && policy.isRegistrationOpen) return null;
  if (caller.tenantId === null) return 'unauthenticated';
  if (access.kind !== 'tenant') return 'forbidden';
  if (tenantId !== null && tenantId !== caller.tenantId) return 'wrong_tenant';
  return caller.scopes.includes(access.scope) ? null : 'forbidden';
}

/** @throws AppError for a caller without access, and `not_found` if the operator names a tenant that does not exist */
export async function authorize(
  services: Pick<Services, 'tenants'>,
  access: Access,
  caller: Caller,
  tenantId: string | null,
  policy: RegistrationPolicy,
): Promise<void> {
  const code = accessErrorOf(access, caller, tenantId, policy);
  if (code) throw new AppError(code, explain(code, access));
  if (caller.isOperator && tenantId !== null && (await services.tenants.resolve(tenantId)) === null) {
    throw new AppError('not_found', 'There is no such tenant.');
  }
}

const OPERATOR_NEEDED = 'This needs the operator credential.';
const REGISTRATION_CLOSED =
  'Registration is closed: this needs the operator credential (MISSTEP_OPERATOR_TOKEN, or the file operator-token in the data folder).';

function explain(code: ErrorCode, access: Access): string {
  if (code === 'unauthenticated' && access.kind === 'registration') return REGISTRATION_CLOSED;
  if (code === 'unauthenticated') return 'This needs an API key in X-SVC-API-Key, or Authorization: Bearer.';
  if (code === 'wrong_tenant') return 'The path names another tenant than the credential.';
  return access.kind === 'tenant' ? `The credential lacks the scope "${access.scope}".` : OPERATOR_NEEDED;
}
