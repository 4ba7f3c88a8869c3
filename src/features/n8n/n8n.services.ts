import type { PlatformKey } from '../integrations/platform-services.ts';
import type { DiscoveryService } from './discovery.service.ts';
import type { N8nSyncService } from './n8n-sync.service.ts';

export interface N8nServices {
  sync: N8nSyncService;
  discovery: DiscoveryService;
}

export const N8N: PlatformKey<N8nServices> = { integration: 'flowplatform' };
