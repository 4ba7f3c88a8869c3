import { expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';

const { redactText } = createRedactor({ secrets: true, personalData: false, salt: 'salt' });

test.each([
  'const API_KEY = "PUT_API_KEY_HERE";',
  'const API_KEY = "**PUT_API_KEY_HERE**";',
  '{"xi-api-key": "put-your-API-Key-here"}',
  '{"xi-api-key": "insert the api key"}',
  'apiKey = "[Your-OpenAI-API-Key]"',
  'openAIApiKey = "sk-..."',
  'x-api-key: "mst_…"',
  `publicKey: pk_live_${'a1B2c3D4'.repeat(4)}`,
  'If `passwd` is empty, `if passwd:` is skipped, so `PGPASSWORD` is not set.',
  'Set API keys for these two in `exampleAPIKey` of the node',
  'name: Token Splitter1, type: node',
])('leaves %s', (text) => expect(redactText(text)).toBe(text));

test.each([
  ['api_key = "put4fj2kd9sKd8"', 'put4fj2kd9sKd8'],
  ['password: `hunter42x9`', 'hunter42x9'],
  ['the token is Splitter1x9', 'Splitter1x9'],
])('replaces the secret of %s', (text, secret) => expect(redactText(text)).not.toContain(secret));
