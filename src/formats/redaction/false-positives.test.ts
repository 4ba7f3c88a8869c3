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
  'Stored credentials: `show` names first; `ask` for what is missing',
  'Stored credentials: "show" names first, then "ask"',
  "Secret: 'rotate' it every month",
  'Secret: `vault kv list` prints the names',
  'Credentials: `cloud auth who-am-i --all` shows which',
  'Password: "forgotten" link on the login page',
  'Password: `desk keys create` prints one',
  'secret: "billing-app-secret" names the object of the cluster',
  'API key: `OPENAI_API_KEY_2` in the environment',
  'Access token: `gateway.auth.token` of the configuration',
  'Access token: `/run/secrets/token2` is mounted',
  'Session token: `newToken2()` returns one',
  'Secret: `oauth2` or `ed25519`',
  'secret: "sha256" is the default',
  'password: `at least 8 characters, 1 digit`',
  'password: "Please enter your password"',
  "passwordLabel = password: 'Wrong password.'",
  'apiKey: "sk-xxxxxxxx"',
  'apiKey = "ghp_********"',
])('leaves %s', (text) => expect(redactText(text)).toBe(text));

test.each([
  ['api_key = "put4fj2kd9sKd8"', 'put4fj2kd9sKd8'],
  ['password: `hunter42x9`', 'hunter42x9'],
  ['password: `hunter2`', 'hunter2'],
  ['the API key is now `orbit42`', 'orbit42'],
  ['password: "hunter2" works everywhere', 'hunter2'],
  ['Password: "swordfish"', 'swordfish'],
  ["  password: 'swordfish', // local", 'swordfish'],
  ['passphrase: `correct horse battery staple`', 'horse battery'],
  ['passphrase: "the key under the old mat"', 'under the old mat'],
  ['secret: "q7Zp2LxV" signs the hooks', 'q7Zp2LxV'],
  ['API key: `A1b2C3d4E5f6` for tests', 'A1b2C3d4E5f6'],
  ['credentials: `ada:tr0ub4dor` on staging', 'tr0ub4dor'],
  ['secret = `deploy --with q7Zp2LxVq7Zp2LxV9`', 'q7Zp2LxVq7Zp2LxV9'],
  ['the token is Splitter1x9', 'Splitter1x9'],
])('replaces the secret of %s', (text, secret) => expect(redactText(text)).not.toContain(secret));
