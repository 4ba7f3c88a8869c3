import { describe, expect, it } from 'vitest';
import { toGlobalOptions } from '../global-options.ts';
import { processIo } from '../io.ts';
import { toAppConfig, toHttpConfig, toMetricsListen } from './serve-config.ts';

const TENANT = `ten_${'0'.repeat(26)}`;

describe('--healing-root with --open-registration', () => {
  const configOf = (healingRoot: string, openRegistration: boolean) =>
    toAppConfig({ healingRoot: [healingRoot], openRegistration }, toGlobalOptions({}, processIo(), false), {});

  it('is refused for a folder of every tenant', () => {
    expect(() => configOf('/agents', true)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it.each([
    ['/agents', false],
    [`${TENANT}=/agents`, true],
  ])('is accepted for %s, %s', (root, isOpen) => {
    expect(configOf(root, isOpen).healingRoots).toHaveLength(1);
  });
});

describe('--cors-origin', () => {
  const originsOf = (...corsOrigin: string[]) => toHttpConfig({ corsOrigin }, 'token', {}).corsOrigins;

  it.each(['https://app.example.com', 'http://localhost:3000', 'http://[::1]:8080'])('takes %s', (origin) => {
    expect(originsOf(origin)).toEqual([origin]);
  });

  it.each(['null', '*', 'app.example.com', 'https://app.example.com/', 'https://app.example.com/x', 'file://'])(
    'refuses %s',
    (origin) => {
      expect(() => originsOf(origin)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );
});

describe('--public-url', () => {
  it('sets the address that clients use, also from the environment', () => {
    const publicUrl = { origin: 'https://traces.example', basePath: '/misstep' };
    expect(toHttpConfig({ publicUrl: 'https://traces.example/misstep/' }, 'token', {}).publicUrl).toEqual(publicUrl);
    const env = { MISSTEP_PUBLIC_URL: 'https://traces.example/misstep' };
    expect(toHttpConfig({}, 'token', env).publicUrl).toEqual(publicUrl);
    expect(toHttpConfig({}, 'token', {}).publicUrl).toBeNull();
  });
});

describe('--metrics-listen', () => {
  it.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['', null],
    [undefined, null],
  ])('takes %s', (text, listen) => {
    expect(toMetricsListen(text)).toEqual(listen);
  });

  it.each([
    '0.0.0.0:9464',
    '[::]:9464',
    '192.168.1.5:9464',
    'example.com:9464',
    '9464',
    ':9464',
    '127.0.0.1',
    '127.0.0.1:99999',
    '::1:9464',
  ])('refuses %s: the route has no authentication', (text) => {
    expect(() => toMetricsListen(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
