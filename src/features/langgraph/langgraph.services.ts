import type { PlatformKey } from '../integrations/platform-services.ts';
import type { ThreadHistoryService } from './thread-history.service.ts';

export interface LangGraphServices {
  histories: ThreadHistoryService;
}

export const LANGGRAPH: PlatformKey<LangGraphServices> = { integration: 'graphruntime' };
