import { decodeServerRun } from '../../formats/langgraph-server/decode-run.ts';
import type { IntegrationSource } from '../integrations/integration-source.ts';
import { decodeShallow, webhookJson } from '../integrations/webhook-body.ts';

export const graphruntime: IntegrationSource = {
  integration: 'graphruntime',
  platform: 'LangGraph',
  isAlwaysSigned: false,
  kinds: [],
  decode(body) {
    const value = webhookJson(body);
    return decodeShallow(() => decodeServerRun(value));
  },
};
