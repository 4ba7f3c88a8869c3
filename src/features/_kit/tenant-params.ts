import { z } from 'zod';

/** Path members of every operation of a tenant. */
export const tenantParams = z.object({ tenant_id: z.string().describe('Tenant of the credential') });
