import { agentsession } from './agentsession/agentsession.source.ts';
import { flowplatform } from './flowplatform/flowplatform.source.ts';
import { graphruntime } from './graphruntime/graphruntime.source.ts';
import type { IntegrationSource } from './integrations/integration-source.ts';
import { llmapps } from './llmapps/llmapps.source.ts';

/** Every platform, from which webhooks, streams and registrations are derived. */
export const integrationSources: readonly IntegrationSource[] = [flowplatform, llmapps, graphruntime, agentsession];
