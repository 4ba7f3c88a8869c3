import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver, type WebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { createAddressGuard } from './address-guard.ts';
import { createPost } from './post.ts';
import type { ResolveHost } from './send-request.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.posts.length = 0;
});
afterAll(() => receiver.close());

const NAMES: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'empty.example': [],
};
const resolveHost: ResolveHost = async (hostname) => {
  const found = NAMES[hostname];
  if (!found) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
  return found;
};
const post = (url: string, allowed: string[] = [], resolve = resolveHost) =>
  createPost({ guard: createAddressGuard(allowed), resolveHost: resolve, timeoutMs: 300 })({
    url: url.replace('PORT', String(receiver.port)),
    headers: {},
    body: '{}',
  });

describe('a URL of a user', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://012.0.0.1/',
    'http://127.0.0.1.:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://localhost.:PORT/',
    'http://inside.example:PORT/',
    'http://metadata.example/',
    'http://six.example:PORT/',
    'http://mixed.example:PORT/',
    'http://mapped.example:PORT/',
    'http://user:password@public.example/',
    'ftp://public.example/',
    'file:///etc/passwd',
    'no url',
  ])('%s is rejected', async (url) => {
    expect(await post(url)).toMatchObject({ kind: 'refused' });
    expect(receiver.posts).toEqual([]);
  });

  it.each(['http://nobody.example/', 'http://empty.example/'])('%s cannot be reached', async (url) => {
    expect(await post(url)).toMatchObject({ kind: 'unreachable' });
  });

  it('reaches a private address that is allowed', async () => {
    expect(await post('http://127.0.0.1:PORT/hook', ['127.0.0.0/8'])).toMatchObject({ kind: 'answered', status: 200 });
    expect(receiver.posts).toMatchObject([{ path: '/hook', json: {} }]);
  });
});

describe('a name', () => {
  it('is resolved once, and the connection uses the checked address', async () => {
    let lookups = 0;
    const rebinding: ResolveHost = async () => {
      lookups += 1;
      return lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    const answer = await post('http://rebinding.example:PORT/', ['127.0.0.0/8'], rebinding);
    expect([answer.kind, lookups]).toEqual(['answered', 1]);
    expect(receiver.posts[0]?.headers.host).toBe(`rebinding.example:${receiver.port}`);
  });

  it('that resolves to a private address the second time is not resolved again', async () => {
    let lookups = 0;
    const rebinding: ResolveHost = async () => {
      lookups += 1;
      return lookups === 1 ? ['192.0.2.1'] : ['127.0.0.1'];
    };
    // Documentation addresses are allowed here: the check passes, and no host answers.
    const answer = await post('http://rebinding.example:PORT/', ['192.0.2.0/24'], rebinding);
    expect(answer.kind).toBe('unreachable');
    expect([lookups, receiver.posts]).toEqual([1, []]);
  });

  it('that never finishes resolving times out', async () => {
    const answer = await post('http://slow.example/', [], () => new Promise(() => {}));
    expect(answer).toEqual({ kind: 'unreachable', reason: 'The host name does not resolve (ETIMEDOUT).' });
  });
});

describe('an answer', () => {
  const LOCAL = ['127.0.0.0/8'];
  it('that redirects is not followed', async () => {
    receiver.responses.push({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
    expect(await post('http://127.0.0.1:PORT/', LOCAL)).toMatchObject({ kind: 'answered', status: 307 });
    expect(receiver.posts).toHaveLength(1);
  });

  it('is truncated', async () => {
    receiver.responses.push({ status: 500, body: 'x'.repeat(5_000_000) });
    const answer = await post('http://127.0.0.1:PORT/', LOCAL);
    expect(answer.kind === 'answered' && [answer.status, answer.body.length]).toEqual([500, 4_096]);
  });

  it('that breaks off is a failure', async () => {
    receiver.responses.push({ status: 0, isBroken: true });
    expect(await post('http://127.0.0.1:PORT/', LOCAL)).toMatchObject({ kind: 'unreachable' });
  });
});
