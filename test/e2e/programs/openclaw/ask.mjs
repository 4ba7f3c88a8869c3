// One turn of an OpenClaw agent with the plugin of docs/integrations.md.
// Usage: node ask.mjs SESSION MESSAGE; OPENCLAW_STATE_DIR names the folder of its data.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [session, message] = process.argv.slice(2);
const state = process.env.OPENCLAW_STATE_DIR;
const workspace = join(state, 'workspace');
mkdirSync(workspace, { recursive: true });
const model = {
  id: 'gpt-4o',
  name: 'gpt-4o',
  reasoning: false,
  input: ['text'],
  contextWindow: 128_000,
  maxTokens: 4096,
  cost: { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 0 },
};
const provider = {
  baseUrl: `${process.env.MODEL_URL}/v1`,
  apiKey: 'sk-fake',
  api: 'openai-completions',
  models: [model],
};
writeFileSync(
  join(state, 'openclaw.json'),
  JSON.stringify({
    models: { providers: { scripted: provider } },
    agents: { defaults: { model: { primary: 'scripted/gpt-4o' }, workspace } },
    plugins: {
      load: { paths: [resolve('plugin')] },
      entries: { misstep: { enabled: true, hooks: { allowConversationAccess: true } } },
    },
  }),
);
const { bin } = JSON.parse(readFileSync('node_modules/openclaw/package.json', 'utf8'));
const entry = join('node_modules/openclaw', typeof bin === 'string' ? bin : bin.openclaw);
const args = ['agent', '--local', '--agent', 'main', '--session-id', session, '--message', message, '--json'];
const { status } = spawnSync(process.execPath, [entry, ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
