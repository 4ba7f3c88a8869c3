import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { readLlamaIndex } from './llama-index.ts';

const messages = (...texts: string[]) =>
  JSON.stringify(texts.map((content) => ({ role: 'user', parts: [{ type: 'text', content }] })));
const passed = (agent: string) =>
  `Agent ${agent} is now handling the request due to the following reason: a card.\nPlease continue with the current request.`;

test.each<[string, string, string | undefined]>([
  ['the agent that received the request', messages('Extend my card.', passed('reservations')), 'reservations'],
  ['the last of several', messages(passed('desk'), passed('card office'), 'extended'), 'card office'],
  ['no hand-off', messages('Extend my card.'), undefined],
])('reads %s', (_, input, agent) => {
  expect(readLlamaIndex(makeSpan({ attributes: { 'gen_ai.input.messages': input } }))?.agent).toBe(agent);
});
