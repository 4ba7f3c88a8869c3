import type { TenantService } from '../features/identity/tenant.service.ts';
import type { RegistrationPolicy } from './authorize.ts';
import type { HttpConfig } from './http-config.ts';
import { isLoopbackName } from './loopback.ts';
import { hostOfPublicUrl } from './public-url.ts';

/**
 * On a loopback listener without a public URL anyone may register the first tenant; after that only the operator may. The
 * address of the peer does not count: a proxy on this machine that sends no forwarding header looks like a local user.
 */
export async function registrationPolicyOf(
  config: Pick<HttpConfig, 'host' | 'isRegistrationOpen' | 'publicUrl'>,
  tenants: Pick<TenantService, 'isFirstRun'>,
): Promise<RegistrationPolicy> {
  if (config.isRegistrationOpen) return { isRegistrationOpen: true, isForFirstTenantOnly: false };
  const isPublic = config.publicUrl !== null && !isLoopbackName(hostOfPublicUrl(config.publicUrl));
  const isFirstRun = isLoopbackName(config.host) && !isPublic && (await tenants.isFirstRun());
  return { isRegistrationOpen: isFirstRun, isForFirstTenantOnly: isFirstRun };
}
