import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { INTEGRATIONS } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import { secretText } from '../identity/secret-text.ts';
import type { RegistrationKind } from './integration-source.ts';

const time = z.string().meta({ format: 'date-time' });

const common = {
  name: z.string(),
  description: z.string().nullable(),
  url: z.string().nullable().describe('Base URL of the platform'),
  credentials: z.array(z.string()).describe('Names of the stored credentials; their values are never returned'),
  signed: z.boolean().describe('Whether its webhooks need a signature'),
  last_event_at: time.nullable().describe('Time of the last webhook with its token or secret'),
  created_at: time,
  updated_at: time,
};

/** A registration of any kind. */
export const registrationRecord = z
  .object({
    registration_id: z.string(),
    integration: z.enum(INTEGRATIONS),
    kind: z.string().describe('`instance`, `workflow`, `app`, …'),
    parent_id: z.string().nullable().describe('Registration that it belongs to'),
    ...common,
    details: z.record(z.string(), z.json()).describe('Further fields of the registration'),
  })
  .meta({ id: 'Registration' });
export type RegistrationRecord = z.output<typeof registrationRecord>;

/** Shown once, when it is created or rotated. */
export const webhookAccess = z
  .object({
    path: secretText('Address for webhooks that can neither sign nor send a key; shown once'),
    secret: secretText('Key of `X-SVC-Signature`; shown once'),
  })
  .meta({ id: 'WebhookAccess' });
export type WebhookAccess = z.output<typeof webhookAccess>;

/** The record of one kind, with the member names of its paths. */
export function kindRecord(kind: RegistrationKind, parent: RegistrationKind | null) {
  return z.object({
    [kind.idName]: z.string(),
    ...(parent ? { [parent.idName]: kind.parent?.isRequired ? z.string() : z.string().nullable() } : {}),
    ...kind.details,
    ...common,
  } as z.ZodRawShape);
}

/** Including the values that are shown once. */
export function createdRecord(kind: RegistrationKind, record: ReturnType<typeof kindRecord>) {
  return kind.hasWebhook ? record.extend({ webhook: webhookAccess }) : record;
}

export function toRegistrationRecord(row: RegistrationTable): RegistrationRecord {
  return {
    registration_id: row.registration_id,
    integration: row.integration as RegistrationRecord['integration'],
    kind: row.kind,
    parent_id: row.parent_id,
    ...commonOf(row),
    details: JSON.parse(row.details) as JsonObject,
  };
}

export function toKindRecord(row: RegistrationTable, kind: RegistrationKind, parent: RegistrationKind | null) {
  return {
    [kind.idName]: row.registration_id,
    ...(parent ? { [parent.idName]: row.parent_id } : {}),
    ...(JSON.parse(row.details) as JsonObject),
    ...commonOf(row),
  };
}

function commonOf(row: RegistrationTable) {
  return {
    name: row.name,
    description: row.description,
    url: row.url,
    credentials: JSON.parse(row.secret_names) as string[],
    signed: row.is_signed === 1,
    last_event_at: row.last_event_at === null ? null : toRfc3339(row.last_event_at),
    created_at: toRfc3339(row.created_at),
    updated_at: toRfc3339(row.updated_at),
  };
}
