import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';
import { hostNameOf } from './host-name.ts';

describe('hostNameOf', () => {
  it.each([
    ['localhost:4319', 'localhost'],
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['[::1]:4319', '[::1]'],
    ['', null],
    ['a b', null],
    ['user@localhost', null],
    ['localhost/..', null],
    ['localhost:notaport', null],
    ['::1', null],
    ['[0:0:0:0:0:0:0:1]:4319', '[::1]'],
    ['[2001:DB8:0::5]', '[2001:db8::5]'],
    ['[1.2.3.4]', null],
    ['[:::1]', null],
    ['localhost:65536', null],
    ['localhost..', 'localhost.'],
    ['localhost,evil.example', null],
    ['127.0.0.1:', null],
  ])('%j is %j', (header, expected) => {
    expect(hostNameOf(header)).toBe(expected);
  });
});

describe('host guard', () => {
  let http: HttpFixture;
  beforeAll(async () => {
    http = await startHttpApp({ allowedHosts: ['misstep.example', '192.0.2.1', '2001:db8::5'] });
  });
  afterAll(() => http.close());

  it.each([
    ['127.0.0.1:4319', 200],
    ['localhost', 200],
    ['app.localhost:1', 200],
    ['[::1]:4319', 200],
    ['[0:0:0:0:0:0:0:1]', 200],
    ['LOCALHOST.:4319', 200],
    ['misstep.example', 200],
    ['misstep.example.:443', 200],
    ['MISSTEP.example:443', 200],
    ['192.0.2.1:4319', 200],
    ['[2001:db8::5]:4319', 200],
    ['evil.example', 403],
    ['misstep.example.evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['0.0.0.0:4319', 403],
    ['10.0.0.1', 403],
    ['[2001:db8::6]', 403],
    ['[::ffff:127.0.0.1]', 403],
    ['localhost..', 403],
    ['localhost:65536', 403],
    ['user@localhost', 403],
  ])('Host %j is answered with %i', async (host, status) => {
    const answer = await http.send({ path: '/openapi.json', headers: { Host: host } });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json).toMatchObject({ code: 'host_not_allowed', status: 403 });
  });

  it.each([
    ['/livez', 200],
    ['/readyz', 200],
    ['/health', 200],
    ['/api/v1/health', 200],
    ['/api/v1/health?x=1', 200],
    ['/', 403],
    ['/livez/x', 403],
    ['/metrics', 403],
    ['/openapi.json', 403],
    ['/api/v1/tenants', 403],
    ['/api/v1/healthy', 403],
    ['/nowhere', 403],
  ])('a probe at %s under any name is answered with %i', async (path, status) => {
    const answer = await http.send({ path, headers: { Host: 'balancer.example' } });
    expect(answer.status).toBe(status);
  });

  it.each<[string, string, number, string | null]>([
    ['one Host', 'GET /openapi.json HTTP/1.1\r\nHost: localhost', 200, null],
    ['no Host', 'GET /openapi.json HTTP/1.1', 400, 'malformed'],
    ['no Host, a probe', 'GET /livez HTTP/1.1', 400, 'malformed'],
    ['no Host in HTTP/1.0', 'GET /openapi.json HTTP/1.0', 403, 'host_not_allowed'],
    ['no Host in HTTP/1.0, a probe', 'GET /livez HTTP/1.0', 200, null],
    ['an empty Host', 'GET /openapi.json HTTP/1.1\r\nHost:', 403, 'host_not_allowed'],
    ['two hosts', 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nHost: evil.example', 400, 'malformed'],
    ['the same host twice', 'GET /livez HTTP/1.1\r\nHost: localhost\r\nhost: localhost', 400, 'malformed'],
    ['a whole URL', 'GET http://localhost:4319/openapi.json HTTP/1.1\r\nHost: localhost:4319', 200, null],
    ['a whole URL in HTTP/1.0', 'GET http://localhost/openapi.json HTTP/1.0', 200, null],
    ['a URL of another host', 'GET http://evil.example/openapi.json HTTP/1.1\r\nHost: localhost', 400, 'malformed'],
    ['a URL of another port', 'GET http://localhost:1/openapi.json HTTP/1.1\r\nHost: localhost', 400, 'malformed'],
    ['a URL and Host of another', 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example', 403, 'host_not_allowed'],
    ['only a URL of another', 'GET http://evil.example/ HTTP/1.0', 403, 'host_not_allowed'],
    ['a URL with a password', 'GET http://a:b@localhost/ HTTP/1.1\r\nHost: localhost', 400, 'malformed'],
    ['another scheme', 'GET ftp://localhost/ HTTP/1.1\r\nHost: localhost', 400, 'malformed'],
    ['a host without a path', 'OPTIONS * HTTP/1.1\r\nHost: localhost', 404, 'route_not_found'],
  ])('%s', async (_name, head, status, code) => {
    const answer = await exchange(http.port, head);
    expect(answer, answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (code !== null) expect(answer).toContain(`"code":"${code}"`);
  });
});

/** Sends raw request lines. @returns the whole response */
async function exchange(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
