import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JudgeServer, openaiCompletion, startJudgeServer } from '../../../test/support/judge-server.ts';
import { sendJson } from '../../../test/support/send-json.ts';
import { createJudgeClient } from './judge-client.ts';
import type { JudgeEndpoint } from './judge-endpoint.ts';

const PROMPT = { system: 'Check.', user: 'Is it so?' };
const KEY = 'sk-test-0123456789';

let server: JudgeServer;
let slept: number[];
beforeEach(async () => {
  server = await startJudgeServer();
  slept = [];
});
afterEach(() => server.close());

const sleep = async (ms: number) => void slept.push(ms);
const clientOf = (change: Partial<JudgeEndpoint> = {}) =>
  createJudgeClient(
    {
      provider: 'openai',
      url: `${server.url}/v1`,
      model: 'small',
      apiKey: KEY,
      maxTokens: 300,
      timeoutMs: 5_000,
      ...change,
    },
    { sleep, now: () => Date.UTC(2026, 0, 2) },
  );
const problemOf = async (client = clientOf()) => client.ask(PROMPT).catch((error) => error);

describe('an OpenAI-compatible endpoint', () => {
  it('gets one request for a short answer, which is read', async () => {
    server.behave(() => 'yes');
    expect(await clientOf().ask(PROMPT)).toEqual({ text: 'yes', inputTokens: 400, outputTokens: 20 });
    const [{ path, headers, body } = { path: '', headers: {}, body: null }] = server.requests;
    expect(path).toBe('/v1/chat/completions');
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
    expect(body).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'Check.' },
        { role: 'user', content: 'Is it so?' },
      ],
      stream: false,
      max_tokens: 300,
      temperature: 0,
    });
  });

  it('without a key gets no authorization header', async () => {
    await clientOf({ apiKey: null }).ask(PROMPT);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('that rejects a setting is never sent it again', async () => {
    server.behave(({ body }) => {
      const reject = (param: string, message: string) => (response: Parameters<typeof sendJson>[0]) =>
        sendJson(response, 400, {
          error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' },
        });
      if ('max_tokens' in body)
        return reject(
          'max_tokens',
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        );
      if ('temperature' in body) return reject('temperature', "Unsupported value: 'temperature' does not support 0.");
      return 'yes';
    });
    const client = clientOf();
    await client.ask(PROMPT);
    await client.ask(PROMPT);
    expect(server.requests).toHaveLength(4);
    expect(server.requests[3]?.body).toMatchObject({ max_completion_tokens: 300 });
    expect(server.requests[3]?.body).not.toHaveProperty('temperature');
  });

  it.each([
    ['without usage', { ...openaiCompletion('small', 'yes'), usage: undefined }, { text: 'yes', inputTokens: 0 }],
    ['without content', openaiCompletion('small', null), { text: '', outputTokens: 20 }],
  ])('is read %s', async (_name, body, expected) => {
    server.behave(() => (response) => sendJson(response, 200, body));
    expect(await clientOf().ask(PROMPT)).toMatchObject(expected);
  });
});

describe('an Anthropic endpoint', () => {
  it('gets one request for a short answer, which is read', async () => {
    server.behave(() => 'no');
    const reply = await clientOf({ provider: 'anthropic', url: server.url }).ask(PROMPT);
    expect(reply).toEqual({ text: 'no', inputTokens: 400, outputTokens: 20 });
    const [{ path, headers, body } = { path: '', headers: {}, body: null }] = server.requests;
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' });
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({
      model: 'small',
      max_tokens: 300,
      system: 'Check.',
      messages: [{ role: 'user', content: 'Is it so?' }],
      temperature: 0,
    });
  });
});

it.each([
  ['openai', '/v1', '/v1/chat/completions'],
  ['openai', '/v1/', '/v1/chat/completions'],
  ['openai', '/v1/chat/completions', '/v1/chat/completions'],
  ['openai', '/compatible', '/compatible/chat/completions'],
  ['anthropic', '', '/v1/messages'],
  ['anthropic', '/v1/', '/v1/messages'],
  ['anthropic', '/proxy/v1/messages', '/proxy/v1/messages'],
] as const)('the address of %s under %s is %s', async (provider, base, path) => {
  await clientOf({ provider, url: server.url + base }).ask(PROMPT);
  expect(server.requests[0]?.path).toBe(path);
});

describe('a failing endpoint', () => {
  const failing = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
    server.behave((_request, nth) =>
      nth === 1 ? (response) => sendJson(response, status, body, headers) : '{"answer":"yes","reason":""}',
    );

  it.each([
    ['429 with Retry-After', 429, { 'retry-after': '7' }, [7_000]],
    ['429 with a date', 429, { 'retry-after': 'Fri, 02 Jan 2026 00:00:05 GMT' }, [5_000]],
    ['429 without', 429, {}, [1_000]],
    ['500', 500, {}, [1_000]],
    ['529, overloaded', 529, {}, [1_000]],
    ['503', 503, { 'retry-after': 'soon' }, [1_000]],
  ])('is retried after %s', async (_name, status, headers, pauses) => {
    failing(status, headers);
    expect((await clientOf().ask(PROMPT)).text).toContain('yes');
    expect(slept).toEqual(pauses);
  });

  it('is tried three times at most', async () => {
    server.behave(() => (response) => sendJson(response, 500, {}));
    expect(await problemOf()).toMatchObject({ kind: 'unavailable', message: 'answered 500' });
    expect(server.requests).toHaveLength(3);
    expect(slept).toEqual([1_000, 2_000]);
  });

  it('that asks for a long delay is left to the job', async () => {
    server.behave(() => (response) => sendJson(response, 429, {}, { 'retry-after': '600' }));
    expect(await problemOf()).toMatchObject({ kind: 'unavailable', retryAfterMs: 600_000 });
    expect([server.requests.length, slept]).toEqual([1, []]);
  });

  it.each([
    [400, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
  ])('with status %i is not retried: %s', async (status, kind) => {
    failing(status);
    expect(await problemOf()).toMatchObject({ name: 'JudgeError', kind });
    expect(server.requests).toHaveLength(1);
  });

  it('has its message shown in one line without the key', async () => {
    failing(401, {}, { error: { message: `Incorrect key ${KEY}\nprovided` } });
    expect((await problemOf()).message).toBe('answered 401: Incorrect key *** provided');
  });

  it('is not followed to the target of a redirect', async () => {
    const elsewhere = await startJudgeServer();
    server.behave(
      () => (response) => void response.writeHead(307, { location: `${elsewhere.url}/v1/chat/completions` }).end(),
    );
    expect(await problemOf()).toMatchObject({ kind: 'unavailable', message: 'answered 307' });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('that does not answer is aborted after the timeout and not retried', async () => {
    server.behave(() => () => {});
    expect(await problemOf(clientOf({ timeoutMs: 40 }))).toMatchObject({
      kind: 'unavailable',
      message: 'gave no answer in 40 ms',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('that stops in the middle of its answer is aborted after the timeout', async () => {
    server.behave(() => (response) => void response.writeHead(200).write('{"choices":['));
    expect(await problemOf(clientOf({ timeoutMs: 40 }))).toMatchObject({ message: 'gave no answer in 40 ms' });
  });

  it('whose answer is too long is aborted', async () => {
    server.behave(() => (response) => void response.end('x'.repeat(1_100_000)));
    expect((await problemOf()).message).toContain('more than 1000000 bytes');
  });

  it.each(['<html>hello</html>', '', '[]', 'null', '{"choices":[]}', '{"choices":[{"message":{"content":7}}]}'])(
    'that answers 200 with %s has not answered',
    async (body) => {
      server.behave(() => (response) => void response.end(body));
      expect(await problemOf()).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('protocol') });
    },
  );

  it('that does not listen is unavailable', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => nobody.once('listening', resolve));
    const { port } = nobody.address() as { port: number };
    await new Promise((resolve) => nobody.close(resolve));
    const problem = await problemOf(clientOf({ url: `http://127.0.0.1:${port}/v1` }));
    expect(problem).toMatchObject({ kind: 'unavailable', message: 'cannot be reached: ECONNREFUSED' });
    expect(slept).toEqual([1_000, 2_000]);
  });

  it('is not awaited after the client closes', async () => {
    const client = clientOf();
    server.behave(() => () => client.close());
    expect(await problemOf(client)).toMatchObject({ kind: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });
});
