import { z } from 'zod';
import { productOf } from '../../core/integration.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { decodeN8n } from '../../formats/n8n/decode-n8n.ts';
import { isEndNotice, isErrorNotice } from '../../formats/n8n/decode-notice.ts';
import type { IntegrationSource, PlatformRuns, RegistrationKind } from '../integrations/integration-source.ts';
import { syncDetails } from '../integrations/sync-schedule.ts';
import { decodeShallow, webhookJson } from '../integrations/webhook-body.ts';

const credential = z.string().trim().min(1).max(4_096).optional();

/** An n8n instance whose public API Misstep may call. */
export const n8nInstance: RegistrationKind = {
  name: 'instance',
  path: 'instances',
  idPrefix: 'ins',
  idName: 'instance_id',
  url: 'required',
  details: syncDetails('its executions are'),
  credentials: { api_key: credential.describe('Key of n8n’s public API; stored encrypted, never shown') },
  hasWebhook: true,
};

/** A workflow that sends its executions by webhook. */
export const n8nWorkflow: RegistrationKind = {
  name: 'workflow',
  path: 'workflows',
  idPrefix: 'wfl',
  idName: 'registration_id',
  parent: { kind: 'instance', isRequired: false },
  url: 'none',
  details: { external_id: z.string().trim().min(1).max(128).describe('Its id in n8n') },
  externalIdName: 'external_id',
  credentials: {},
  hasWebhook: true,
};

export const n8n: IntegrationSource = {
  integration: 'flowplatform',
  platform: productOf('flowplatform'),
  isAlwaysSigned: true,
  kinds: [n8nInstance, n8nWorkflow],
  decode(body, receivedAtMs) {
    const value = webhookJson(body);
    return decodeShallow(() => decodeRuns(value, receivedAtMs));
  },
};

/** Executions except those of error workflows, which report a failure a second time. */
export function decodeRuns(value: Json, receivedAtMs: number): PlatformRuns {
  if (isErrorWorkflow(value)) return NOTHING;
  if (!isJsonObject(value) || !Array.isArray(value.data))
    return { ...decodeN8n(value, receivedAtMs), isSummary: isErrorNotice(value) || isEndNotice(value) };
  const data = value.data.filter((item) => !isErrorWorkflow(item));
  return data.length === 0 && value.data.length > 0 ? NOTHING : decodeN8n({ ...value, data }, receivedAtMs);
}

const NOTHING: PlatformRuns = { spans: [], rejections: [] };

export function isErrorWorkflow(value: Json): boolean {
  return isJsonObject(value) && value.mode === 'error' && 'id' in value;
}
