import { createLangGraphClient } from '../../platforms/langgraph/langgraph-client.ts';
import type { Platform } from '../integrations/platform.ts';
import { createAssistantExecutor } from './assistant.executor.ts';
import { langgraphOperations } from './langgraph.operations.ts';
import type { LangGraphServices } from './langgraph.services.ts';
import { langgraph } from './langgraph.source.ts';
import { runHistory } from './run-history.decoder.ts';
import { createThreadHistoryService } from './thread-history.service.ts';
import { threadStates } from './thread-states.decoder.ts';

export const langgraphPlatform: Platform = {
  source: langgraph,
  operations: langgraphOperations,
  decoders: [threadStates, runHistory],
  tasks: [],
  open(parts) {
    const client = createLangGraphClient(parts.fetchBytes, () => parts.clock.now());
    const histories = createThreadHistoryService({ ...parts, client });
    const services: LangGraphServices = { histories };
    return { services, works: [histories], executors: [createAssistantExecutor({ ...parts, client })] };
  },
};
