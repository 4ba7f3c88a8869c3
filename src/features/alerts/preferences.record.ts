import { z } from 'zod';
import { DETECTION_TYPES, type DetectionType } from '../../core/detection.ts';
import { unknownMembers } from '../_kit/field-errors.ts';
import { detectionType, severity } from '../_kit/vocabulary.ts';
import { isTimeZone } from './time-zone.ts';

const severityFloor = z.strictObject({ min_severity: severity }).meta({ id: 'SeverityFloor' });
const MAX_ADDRESSES = 50;

/** State of a channel; read-only: PUT ignores it. */
const channelStatus = z
  .object({
    state: z.enum(['off', 'ok', 'failing', 'disabled', 'unavailable']),
    problem: z
      .string()
      .nullable()
      .describe('Why messages are not delivered; a channel that responded with 404 or 410 is disabled'),
    problem_at: z.string().nullable(),
    last_delivered_at: z.string().nullable(),
  })
  .meta({ id: 'ChannelStatus' });

const shownUrl = z.string().nullable().describe('Masked; PUT of the mask keeps the URL');
const shownWebhook = z
  .object({ enabled: z.boolean(), webhook_url: shownUrl, status: channelStatus })
  .meta({ id: 'WebhookChannel' });

export const preferencesRecord = z
  .object({
    min_severity: severity,
    channels: z.object({
      team_chat: shownWebhook,
      community_chat: shownWebhook,
      email: z.object({ enabled: z.boolean(), addresses: z.array(z.string()), status: channelStatus }),
      webhook: shownWebhook.extend({
        secret: z
          .string()
          .nullable()
          .describe('Signing secret: in full in the response that created it, otherwise masked'),
      }),
    }),
    per_detector: z.partialRecord(detectionType, severityFloor),
    quiet_hours: z.object({
      enabled: z.boolean(),
      start: z.string(),
      end: z.string(),
      timezone: z.string(),
      severity_floor_during: severity,
    }),
    digest: z.object({ enabled: z.boolean(), more_than: z.number().int() }),
  })
  .meta({ id: 'NotificationPreferences' });
export type PreferencesRecord = z.input<typeof preferencesRecord>;
export type ChannelStatus = z.input<typeof channelStatus>;

const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')
  .meta({ examples: ['22:00'] });
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
  .meta({ examples: ['Europe/Berlin'] });
const webhookUrl = z.string().trim().max(2_048).nullable().optional();
const address = z.email('must be an e-mail address').max(254);
/** What GET returns in addition to the settings, so that its response can be sent back. */
const ignored = z.unknown().optional();

const webhookChange = { enabled: z.boolean().optional(), webhook_url: webhookUrl, status: ignored };

function floorsByDetector() {
  const shape = Object.fromEntries(DETECTION_TYPES.map((name) => [name, severityFloor.optional()]));
  return z.strictObject(
    shape as Record<DetectionType, z.ZodOptional<typeof severityFloor>>,
    unknownMembers('detector', DETECTION_TYPES),
  );
}

export const preferencesChange = z
  .strictObject({
    min_severity: severity.nullable().optional(),
    channels: z
      .strictObject({
        team_chat: z.strictObject(webhookChange).optional(),
        community_chat: z.strictObject(webhookChange).optional(),
        email: z
          .strictObject({
            enabled: z.boolean().optional(),
            addresses: z.array(address).max(MAX_ADDRESSES).optional(),
            status: ignored,
          })
          .optional(),
        webhook: z
          .strictObject({
            ...webhookChange,
            secret: z
              .string()
              .max(200)
              .nullable()
              .optional()
              .describe('`whsec_` and 24 to 64 bytes in base64; if omitted, one is created; null creates a new one'),
          })
          .optional(),
      })
      .optional(),
    per_detector: floorsByDetector().nullable().optional(),
    quiet_hours: z
      .strictObject({
        enabled: z.boolean().optional(),
        start: timeOfDay.optional(),
        end: timeOfDay.optional(),
        timezone: timeZone.optional(),
        severity_floor_during: severity.optional(),
      })
      .nullable()
      .optional(),
    digest: z
      .strictObject({ enabled: z.boolean().optional(), more_than: z.int().min(1).max(1_000).optional() })
      .nullable()
      .optional(),
  })
  .meta({ id: 'NotificationPreferencesChange' });
export type PreferencesInput = z.output<typeof preferencesChange>;
