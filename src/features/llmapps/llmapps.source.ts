import { parseJson } from '../../core/json.ts';
import { decodeDify } from '../../formats/dify/decode-dify.ts';
import type { IntegrationSource } from '../integrations/integration-source.ts';
import { decodeShallow, webhookText } from '../integrations/webhook-body.ts';

export const llmapps: IntegrationSource = {
  integration: 'llmapps',
  platform: 'Dify',
  isAlwaysSigned: false,
  kinds: [],
  /** JSON, or the text of an event stream. */
  decode(body) {
    const text = webhookText(body);
    return decodeShallow(() => decodeDify(parseJson(text) ?? text));
  },
};
