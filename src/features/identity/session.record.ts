import { z } from 'zod';
import { SCOPES } from '../_kit/caller.ts';

/** A sign-in credential: an API key, or the token of a one-time link. */
export const signInBody = z
  .union([
    z.strictObject({ api_key: z.string().min(1).max(500) }),
    z.strictObject({ link_token: z.string().min(1).max(500).describe('The part of a sign-in link after `#t=`') }),
  ])
  .meta({ id: 'SignIn' });

/** Which optional parts of this instance are configured. */
export const instanceFeatures = z
  .object({
    judge: z.boolean().describe('A language model can be asked about uncertain detections'),
    billing: z.boolean(),
    mail: z.boolean().describe('Alerts can be sent by mail'),
    datadog: z.boolean(),
  })
  .meta({ id: 'InstanceFeatures' });
export type InstanceFeatures = z.output<typeof instanceFeatures>;

/** The signed-in user, with its scopes. */
export const sessionRecord = z
  .object({
    tenant: z
      .object({ tenant_id: z.string(), name: z.string() })
      .nullable()
      .describe('Null for the operator, who can read every tenant'),
    is_operator: z.boolean(),
    scopes: z.array(z.enum(SCOPES)),
    key_id: z.string().nullable().describe('The API key of the session; null for the session of an operator’s link'),
    expires_at: z.iso.datetime().nullable().describe('If the session is not used again; null without a session'),
    version: z.string().describe('Of Misstep'),
    web_address: z.string().describe('Where people open the dashboard, without a final slash'),
    features: instanceFeatures,
  })
  .meta({ id: 'Session' });
export type SessionRecord = z.input<typeof sessionRecord>;
