import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';
import { hostNameOf } from './host-guard.ts';

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
    ['misstep.example', 200],
    ['MISSTEP.example:443', 200],
    ['192.0.2.1:4319', 200],
    ['[2001:db8::5]:4319', 200],
    ['evil.example', 403],
    ['misstep.example.evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['0.0.0.0:4319', 403],
    ['10.0.0.1', 403],
  ])('Host %j is answered with %i', async (host, status) => {
    const answer = await http.send({ path: '/health', headers: { Host: host } });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json).toMatchObject({ code: 'host_not_allowed', status: 403 });
  });
});
