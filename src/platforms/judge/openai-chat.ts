import { z } from 'zod';
import type { JudgeProtocol } from './judge-endpoint.ts';

const tokens = z.number().nonnegative().catch(0);

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

/** Chat completions as OpenAI defines them and Ollama, vLLM, llama.cpp, LM Studio and others serve them. */
export const openaiChat: JudgeProtocol = {
  // The version is part of the base URL, and not every server has one.
  addressOf: (baseUrl) => {
    const base = baseUrl.replace(/\/{1,20}$/, '');
    return base.endsWith('/chat/completions') ? base : `${base}/chat/completions`;
  },
  headersOf: ({ apiKey }): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  bodyOf: ({ model, maxTokens }, { system, user }, { hasTemperature, tokenLimit }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    stream: false,
    [tokenLimit]: maxTokens,
    ...(hasTemperature ? { temperature: 0 } : {}),
  }),
  replyOf(body) {
    const { data } = completion.safeParse(body);
    if (data === undefined) return null;
    const { usage, choices } = data;
    return {
      text: choices[0]?.message.content ?? '',
      inputTokens: usage?.prompt_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
    };
  },
};
