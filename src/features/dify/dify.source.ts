import { z } from 'zod';
import { productOf } from '../../core/integration.ts';
import { parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeDify } from '../../formats/dify/decode-dify.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import type { IntegrationSource, PlatformRuns, RegistrationKind } from '../integrations/integration-source.ts';
import { syncDetails } from '../integrations/sync-schedule.ts';
import { assertHasRuns, decodeShallow, webhookText } from '../integrations/webhook-body.ts';

const credential = z.string().trim().min(1).max(4_096).optional();

/** A Dify server, in the cloud or self-hosted. */
export const difyInstance: RegistrationKind = {
  name: 'instance',
  path: 'instances',
  idPrefix: 'ins',
  idName: 'instance_id',
  url: 'required',
  details: syncDetails('summaries of the runs of its apps are'),
  credentials: {},
  hasWebhook: true,
};

/** A workflow or chat flow. Dify gives each app a key of its own. */
export const difyApp: RegistrationKind = {
  name: 'app',
  path: 'apps',
  idPrefix: 'app',
  idName: 'app_id',
  parent: { kind: 'instance', isRequired: false },
  url: 'none',
  details: {
    external_id: z.string().trim().min(1).max(128).nullable().optional().describe('Its id in Dify'),
  },
  externalIdName: 'external_id',
  credentials: { api_key: credential.describe('Key of the app’s service API; stored encrypted, never shown') },
  hasWebhook: true,
};

/** Whether the address and the key for fetching the runs of an app are known. */
export function isReady({ parent_id, secret_names }: Pick<RegistrationTable, 'parent_id' | 'secret_names'>): boolean {
  return parent_id !== null && secret_names.includes('"api_key"');
}

export const dify: IntegrationSource = {
  integration: 'llmapps',
  platform: productOf('llmapps'),
  isAlwaysSigned: false,
  kinds: [difyInstance, difyApp],
  /** JSON, or the text of an event stream. */
  decode(body) {
    const text = webhookText(body);
    const value = parseJson(text) ?? text;
    assertHasRuns(value);
    return difyRuns(decodeShallow(() => decodeDify(value)));
  },
};

/** A record without nodes has fewer facts than an event stream. */
export function difyRuns(decoded: Decoded): PlatformRuns {
  return { ...decoded, isSummary: decoded.spans.every(({ parentSpanId }) => parentSpanId === null) };
}
