import { AppError } from '../../core/app-error.ts';
import { createLangGraphClient } from '../../platforms/langgraph/langgraph-client.ts';
import type { Platform } from '../integrations/platform.ts';
import { notCalled } from '../integrations/platform-services.ts';
import { createAssistantExecutor } from './assistant.executor.ts';
import { langgraphOperations } from './langgraph.operations.ts';
import type { LangGraphServices } from './langgraph.services.ts';
import { langGraphDeployment, langgraph } from './langgraph.source.ts';
import { runHistory } from './run-history.decoder.ts';
import { ThreadHistory } from './thread-history.service.ts';
import { threadStates } from './thread-states.decoder.ts';

export const langgraphPlatform: Platform = {
  source: langgraph,
  operations: langgraphOperations,
  decoders: [threadStates, runHistory],
  tasks: [],
  open(parts) {
    const client = createLangGraphClient(parts.fetchBytes, () => parts.clock.now());
    const histories = new ThreadHistory({ ...parts, client });
    const services: LangGraphServices = { histories };
    return {
      services,
      works: [histories],
      executors: [createAssistantExecutor({ ...parts, client })],
      async checkConnection(registration) {
        if (registration.kind !== langGraphDeployment.name || registration.url === null) throw notCalled(registration);
        const credentials = parts.registrations.credentialsOf(registration);
        const answer = await client.check({ url: registration.url, credentials });
        if (answer.kind === 'failed') throw new AppError(answer.isFinal ? 'conflict' : 'unreachable', answer.reason);
        if (answer.kind === 'answered' && !Array.isArray(answer.value))
          throw new AppError('conflict', 'The response is not from a LangGraph server.');
      },
    };
  },
};
