import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DocumentServer, startDocumentServer } from '../../../test/support/document-server.ts';
import { createAddressGuard } from '../outbound/address-guard.ts';
import { createSendRequest } from '../outbound/send-request.ts';
import { createHttpJsonExecutor } from './http-json.executor.ts';
import { createJsonResourceClient } from './json-resource.ts';

const SCOPE = { tenantId: 'ten_one', tenantNo: 1 };
const LIMIT = { format: 'json-patch', before: null, after: '[{"op":"replace","path":"/limit","value":6}]' } as const;

let server: DocumentServer;
beforeEach(async () => {
  server = await startDocumentServer({ name: 'planner', config: { limit: 24 } });
});
afterEach(() => server.close());

const executorFor = (allowed: string[]) =>
  createHttpJsonExecutor(createJsonResourceClient(createSendRequest({ guard: createAddressGuard(allowed) })));
const executor = executorFor(['127.0.0.0/8']);
const target = (overrides: object = {}) =>
  executor.target.parse({
    url: server.url,
    pointer: '/config',
    headers: { Authorization: 'Bearer s3cret' },
    ...overrides,
  });

describe('a JSON document behind a URL', () => {
  it('is read, planned on, written and written back exactly', async () => {
    const original = structuredClone(server.document);
    const before = await executor.read(SCOPE, target());
    const planned = executor.plan(target(), before.content, [LIMIT]);
    await executor.write(SCOPE, target(), planned, before);
    expect(server.document).toEqual({ name: 'planner', config: { limit: 6 } });
    const after = await executor.read(SCOPE, target());
    expect(after.content).toBe(planned);
    await executor.write(SCOPE, target(), before.content, after);
    expect(server.document).toEqual(original);
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'PUT']);
    expect(server.requests.every(({ authorization }) => authorization === 'Bearer s3cret')).toBe(true);
  });

  it('that was changed since it was read is not written', async () => {
    const before = await executor.read(SCOPE, target());
    server.document = { name: 'other', config: { limit: 1 } };
    await expect(executor.write(SCOPE, target(), '{}', before)).rejects.toMatchObject({ code: 'conflict' });
    expect(server.document).toEqual({ name: 'other', config: { limit: 1 } });
  });

  it('without an ETag is written unconditionally', async () => {
    server.hasTags = false;
    await executor.write(SCOPE, target(), '{"a":1}', await executor.read(SCOPE, target()));
    expect(server.requests.at(-1)).toMatchObject({ method: 'PUT', ifMatch: undefined });
    expect(server.document).toEqual({ a: 1 });
  });

  it('that cannot be written or read returns an error', async () => {
    const before = await executor.read(SCOPE, target());
    server.fault = { status: 503, hasWritten: false };
    await expect(executor.write(SCOPE, target(), '{}', before)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'It cannot be written: the other service answered 503.',
    });
    await server.close();
    await expect(executor.read(SCOPE, target())).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('on an address that is not public is not requested', async () => {
    await expect(executorFor([]).read(SCOPE, target())).rejects.toMatchObject({ code: 'conflict' });
    expect(server.requests).toEqual([]);
  });

  it('is shown without its secrets', () => {
    const secret = target({ url: `${server.url}?key=s3cret` });
    expect(JSON.stringify([executor.describe(secret), executor.masked!(secret)])).not.toContain('s3cret');
  });

  it.each([
    { url: 'file:///etc/passwd' },
    { url: 'no url' },
    { method: 'DELETE' },
    { headers: { Host: 'other' } },
    { headers: { 'X-Line': 'a\r\nb' } },
    { pointer: 'config' },
    { other: 1 },
  ])('rejects the target %j', (overrides) => {
    expect(() => target(overrides)).toThrow();
  });
});
