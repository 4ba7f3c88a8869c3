import { INTEGRATIONS, type Integration } from '../core/integration.ts';
import { difyPlatform } from './dify/dify.platform.ts';
import type { IntegrationSource } from './integrations/integration-source.ts';
import type { Platform } from './integrations/platform.ts';
import { langgraphPlatform } from './langgraph/langgraph.platform.ts';
import { n8nPlatform } from './n8n/n8n.platform.ts';
import { openclawPlatform } from './openclaw/openclaw.platform.ts';

/** The manifest of every platform. */
const MANIFESTS: Readonly<Record<Integration, Platform>> = {
  flowplatform: n8nPlatform,
  llmapps: difyPlatform,
  graphruntime: langgraphPlatform,
  agentsession: openclawPlatform,
};

export const platforms: readonly Platform[] = INTEGRATIONS.map((integration) => MANIFESTS[integration]);

/** Their webhooks, streams and registrations. */
export const integrationSources: readonly IntegrationSource[] = platforms.map(({ source }) => source);
