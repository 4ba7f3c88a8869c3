import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';
import { type LocalServer, listenLocally } from '../../test/support/local-server.ts';
import { writeServerFile } from '../store/data-folder/server-file.ts';
import { folderCredential, isSameServer } from './folder-credential.ts';

describe('isSameServer', () => {
  it.each<[string, string, boolean]>([
    ['http://127.0.0.1:4319', 'http://127.0.0.1:4319', true],
    ['http://localhost:4319', 'http://127.0.0.1:4319', true],
    ['http://[::1]:4319', 'http://[::]:4319', true],
    ['http://127.0.0.1:4319', 'http://0.0.0.0:4319', true],
    ['http://127.0.0.1:4320', 'http://127.0.0.1:4319', false],
    ['https://127.0.0.1:4319', 'http://127.0.0.1:4319', false],
    ['http://127.evil.example:4319', 'http://127.0.0.1:4319', false],
    ['http://localhost.evil.example:4319', 'http://127.0.0.1:4319', false],
    ['http://desk.example:4319', 'http://127.0.0.1:4319', false],
    ['http://192.168.1.5:4319', 'http://192.168.1.5:4319', true],
    ['http://user@127.0.0.1:4319', 'http://127.0.0.1:4319', false],
    ['http://127.0.0.1:4319/base', 'http://127.0.0.1:4319', false],
    ['nonsense', 'http://127.0.0.1:4319', false],
  ])('%s, %s: %s', (server, running, expected) => {
    expect(isSameServer(server, running)).toBe(expected);
  });
});

describe('the operator token of a data folder', () => {
  const TOKEN = 'op_generated-by-serve';
  let folder: string;
  let http: HttpFixture;
  let impostor: LocalServer | null = null;
  let received: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-credential-'));
    writeFileSync(join(folder, 'operator-token'), `${TOKEN}\n`);
    http = await startHttpApp({ operatorToken: TOKEN, provableToken: TOKEN });
    received = [];
  });
  afterEach(async () => {
    await http.close();
    await impostor?.close();
    impostor = null;
    rmSync(folder, { recursive: true });
  });

  const belongsTo = (url: string) =>
    writeServerFile(folder, { url, webAddress: url, healingRoots: [], pid: 1, instanceId: 'a', startedAt: 0 });
  const answerWith = async (headersFor: (challenge: string) => Promise<Record<string, string>>) => {
    impostor = await listenLocally(
      createServer((incoming, outgoing) => {
        received.push(JSON.stringify(incoming.headers));
        headersFor(String(incoming.headers['x-svc-challenge'])).then((headers) => {
          outgoing.writeHead(200, headers).end();
        });
      }),
    );
    return impostor.url;
  };

  it('is sent to the server of the folder at the verified address', async () => {
    belongsTo(http.url);
    expect(await folderCredential(folder, http.url)).toEqual({ token: TOKEN, server: http.url });
    expect(await folderCredential(folder, http.url.replace('127.0.0.1', 'localhost'))).toEqual({
      token: TOKEN,
      server: http.url,
    });
  });

  it('is not sent without server.json or to a server with another token', async () => {
    expect(await folderCredential(folder, http.url)).toBeNull();
    belongsTo(http.url);
    writeFileSync(join(folder, 'operator-token'), 'op_of-another-server\n');
    expect(await folderCredential(folder, http.url)).toBeNull();
  });

  it('is not sent to another server on the same port', async () => {
    const url = await answerWith(async () => ({ 'x-svc-proof': 'f'.repeat(64) }));
    belongsTo(url);
    expect(await folderCredential(folder, url)).toBeNull();
    expect(received).toHaveLength(1);
    expect(received.join()).not.toContain(TOKEN);
  });

  it('is not sent to a server that forwards the challenge to the real one', async () => {
    const url = await answerWith(async (challenge) => ({ 'x-svc-proof': await proofOf(http.port, challenge) }));
    belongsTo(url);
    expect(await proofOf(http.port, '0'.repeat(64))).toMatch(/^[0-9a-f]{64}$/);
    expect(await folderCredential(folder, url)).toBeNull();
  });

  it('is not proven if it comes from the environment or the challenge is malformed', async () => {
    expect(await proofOf(http.port, 'short')).toBe('undefined');
    const chosen = await startHttpApp({ operatorToken: TOKEN });
    expect(await proofOf(chosen.port, '0'.repeat(64))).toBe('undefined');
    await chosen.close();
  });
});

function proofOf(port: number, challenge: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-svc-challenge': challenge };
    request({ host: '127.0.0.1', port, path: '/livez', headers }, (incoming) => {
      incoming.resume();
      resolve(String(incoming.headers['x-svc-proof']));
    })
      .on('error', reject)
      .end();
  });
}
