import { z } from 'zod';
import { type JudgeProtocol, joinUrl } from './judge-endpoint.ts';

const VERSION = '2023-06-01';
const tokens = z.number().nonnegative().nullish().catch(0);

const message = z.object({
  type: z.literal('message'),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  usage: z
    .object({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
    })
    .nullish()
    .catch(null),
});

/** The Messages API of Anthropic. */
export const anthropicMessages: JudgeProtocol = {
  addressOf: (baseUrl) => joinUrl(baseUrl, '/v1', '/messages'),
  headersOf: ({ apiKey }) => ({
    'anthropic-version': VERSION,
    ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
  }),
  bodyOf: ({ model, maxTokens }, { system, user }, { hasTemperature }) => ({
    model,
    max_tokens: maxTokens,
    system,
    messages: [{ role: 'user', content: user }],
    ...(hasTemperature ? { temperature: 0 } : {}),
  }),
  replyOf(body) {
    const { data } = message.safeParse(body);
    if (data === undefined) return null;
    const { content, usage } = data;
    const input = [usage?.input_tokens, usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens];
    return {
      // Thinking blocks have no text of this type.
      text: content
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text ?? '')
        .join(''),
      inputTokens: input.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      outputTokens: usage?.output_tokens ?? 0,
    };
  },
};
