import { expect, test } from 'vitest';
import { type CliInput, runCli } from './run-cli.ts';
import { localWorld, remoteWorld, type World } from './world.ts';

const TOKEN = `ghp_${'Zk3vQ9tLmX7bN2cR'.repeat(2)}12a4`;
const DATA = {
  turns: [
    { role: 'user', content: `What can this token do? ${TOKEN}` },
    { role: 'clerk', content: `The token ${TOKEN} can read repositories.` },
  ],
};
const clock = { now: () => Date.UTC(2026, 4, 4) };

async function sendToStore({ env }: World): Promise<void> {
  await runCli(['ingest'], { env, stdin: JSON.stringify(DATA) });
}

async function sendToServer({ env }: World): Promise<void> {
  const headers = { 'X-SVC-API-Key': env.MISSTEP_API_KEY!, 'Content-Type': 'application/json' };
  const post = async (path: string, body?: string) =>
    (await fetch(`${env.MISSTEP_SERVER}${path}`, { method: 'POST', headers, body })).json();
  const [tenant] = JSON.parse((await runCli(['tenants', 'list', '--json'], { env })).stdout).items;
  const conversations = `/api/v1/tenants/${tenant.tenant_id}/conversations`;
  const sent = await post(`${conversations}/ingest`, JSON.stringify({ format: 'generic', data: DATA }));
  await post(`${conversations}/${(sent as { conversation_id: string }).conversation_id}/analyze`);
}

test.each<[string, () => World | Promise<World>, (world: World) => Promise<void>]>([
  ['on the local store', localWorld, sendToStore],
  ['against a server', () => remoteWorld(clock), sendToServer],
])('conversations are listed and shown %s', async (_name, open, send) => {
  const world = await open();
  const run = (argv: string[], input: CliInput = {}) => runCli(argv, { ...input, env: world.env });
  try {
    await send(world);
    const [conversation] = JSON.parse((await run(['conversations', 'list', '--json'])).stdout).items;
    expect(conversation).toMatchObject({ format: 'generic', participants: ['user', 'clerk'], turn_count: 2 });
    expect((await run(['conversations', 'list'])).stdout).toContain(conversation.conversation_id);
    const shown = await run(['conversations', 'show', conversation.conversation_id]);
    expect(shown.stdout).toMatch(/ 1 {2}clerk: The token \[redacted:api_key:\w+\] can read repositories\./);
    expect(shown.stdout).toContain('secret_leak/secret_in_answer');
    const json = JSON.parse((await run(['conversations', 'show', conversation.conversation_id, '--json'])).stdout);
    expect(json).toMatchObject({ ...conversation, turns: [{ turn: 0 }, { turn: 1 }] });
    expect((await run(['conversations', 'list', '--format', 'chat-completions-b'])).stderr).toContain(
      'No conversations found.',
    );
    expect((await run(['conversations', 'show', 'conv_nothing'])).code).toBe(2);
  } finally {
    await world.close();
  }
});
