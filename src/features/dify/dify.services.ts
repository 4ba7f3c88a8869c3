import type { PlatformKey } from '../integrations/platform-services.ts';
import type { AppSyncService } from './app-sync.service.ts';

export interface DifyServices {
  sync: AppSyncService;
}

export const DIFY: PlatformKey<DifyServices> = { integration: 'llmapps' };
