import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { advance, random } from '../kit/fixed-environment.mjs';

/** Shared code of LangGraph programs: a chat model on the scripted server, and tools with a duration. */
export function langchainKit(modelUrl) {
  return {
    chat: (model = 'gpt-4o', more = {}) =>
      new ChatOpenAI({ model, apiKey: 'sk-gauge', maxRetries: 0, configuration: { baseURL: modelUrl }, ...more }),
    tool: (name, description, shape, work) =>
      tool(
        async (input) => {
          advance(40 + random() * 500);
          const result = await work(input);
          return typeof result === 'string' ? result : JSON.stringify(result);
        },
        { name, description, schema: z.object(shape) },
      ),
  };
}
