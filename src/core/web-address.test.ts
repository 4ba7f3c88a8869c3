import { describe, expect, it } from 'vitest';
import { WebAddress } from './web-address.ts';

const pages = new WebAddress('https://traces.example/misstep');

describe('a dashboard URL', () => {
  it.each([
    [{ traceId: 'abc' }, '/ui/traces/abc'],
    [{ traceId: 'abc', spanId: null, detectionId: '' }, '/ui/traces/abc'],
    [{ traceId: 'abc', spanId: 's1', detectionId: 'det_1' }, '/ui/traces/abc?span=s1&finding=det_1'],
    [{ traceId: '../a b?x#y', spanId: 'a&b=c' }, '/ui/traces/..%2Fa%20b%3Fx%23y?span=a%26b%3Dc'],
    [{ traceId: "<i>'(*~!)", spanId: '*' }, '/ui/traces/%3Ci%3E%27%28%2A%7E%21%29?span=%2A'],
  ])('of %o', (place, path) => {
    expect(pages.trace(place)).toBe(`https://traces.example/misstep${path}`);
  });

  it('follows the server when it moves', () => {
    const moved = new WebAddress('http://127.0.0.1:4319');
    moved.moveTo('http://127.0.0.1:5000');
    expect([moved.issue('iss_1'), moved.signIn('token')]).toEqual([
      'http://127.0.0.1:5000/ui/issues/iss_1',
      'http://127.0.0.1:5000/ui/sign-in#t=token',
    ]);
  });
});
