import { decodeOpenClaw } from '../../formats/openclaw/decode-openclaw.ts';
import type { IntegrationSource } from '../integrations/integration-source.ts';
import { decodeShallow, webhookJson } from '../integrations/webhook-body.ts';

export const agentsession: IntegrationSource = {
  integration: 'agentsession',
  platform: 'OpenClaw',
  isAlwaysSigned: false,
  kinds: [],
  decode(body) {
    const value = webhookJson(body);
    return decodeShallow(() => decodeOpenClaw(value));
  },
};
