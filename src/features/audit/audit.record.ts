import { z } from 'zod';

const digest = z.string().nullable();

/** One change in API form: never with values, which may be secrets. */
export const auditRecord = z
  .object({
    audit_id: z.string(),
    at: z.iso.datetime(),
    actor: z
      .string()
      .describe(
        'The credential, also that behind a session: id of the API key, `operator`, `token` for a token without a key, `guest` or `job`',
      ),
    action: z.string().describe('Id of the operation, such as `healing.execute`'),
    object_id: z.string().nullable(),
    fields: z.array(z.string()).describe('Names of the members in the request'),
    digest_before: digest.describe('SHA-256 of the previous content; null if it is not a single resource'),
    digest_after: digest,
    outcome: z.string().describe('`done`, the code of an error, or `committed` where the end is not known'),
    request_id: z.string().nullable().describe('`X-Request-Id` of the request'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditRecord = z.input<typeof auditRecord>;
