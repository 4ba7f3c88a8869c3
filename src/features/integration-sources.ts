import { dify } from './dify/dify.source.ts';
import type { IntegrationSource } from './integrations/integration-source.ts';
import { langgraph } from './langgraph/langgraph.source.ts';
import { n8n } from './n8n/n8n.source.ts';
import { openclaw } from './openclaw/openclaw.source.ts';

/** Every platform, from which webhooks, streams and registrations are derived. */
export const integrationSources: readonly IntegrationSource[] = [n8n, dify, langgraph, openclaw];
