import { describe, expect, it } from 'vitest';
import { toGlobalOptions, toServerAddress } from './global-options.ts';
import { processIo } from './io.ts';

function optionsOf(env: Record<string, string>, isTty: boolean, flags = {}) {
  const io = processIo();
  const stream = <Stream extends object>(original: Stream) =>
    Object.assign(Object.create(original), { isTTY: isTty }) as Stream;
  return toGlobalOptions(
    flags,
    {
      ...io,
      env,
      stdin: stream(io.stdin),
      stdout: stream(io.stdout),
      stderr: stream(io.stderr),
    },
    false,
  );
}

describe('global options', () => {
  const colors: [string, Record<string, string>, boolean, object, boolean][] = [
    ['a terminal', {}, true, {}, true],
    ['a pipe', {}, false, {}, false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, {}, false],
    ['NO_COLOR empty', { NO_COLOR: '' }, true, {}, true],
    ['NO_COLOR above FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, false, {}, false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, false, {}, true],
    ['--no-color', { FORCE_COLOR: '1' }, true, { color: false }, false],
    ['a dumb terminal', { TERM: 'dumb' }, true, {}, false],
  ];
  it.each(colors)('colours with %s', (_name, env, isTty, flags, expected) => {
    expect(optionsOf(env, isTty, flags).isColored).toBe(expected);
  });

  it('asks only on a terminal, outside CI, and when it may', () => {
    expect(optionsOf({}, true).isInteractive).toBe(true);
    expect(optionsOf({}, false).isInteractive).toBe(false);
    expect(optionsOf({ CI: 'true' }, true).isInteractive).toBe(false);
    expect(optionsOf({}, true, { input: false }).isInteractive).toBe(false);
  });

  it('puts flags above the environment', () => {
    const env = { MISSTEP_SERVER: 'http://env', MISSTEP_TENANT: 'env', MISSTEP_API_KEY: 'env' };
    expect(optionsOf(env, false)).toMatchObject({ server: 'http://env', tenant: 'env', apiKey: 'env' });
    const flags = { server: 'http://flag', tenant: 'flag', apiKey: 'flag' };
    expect(optionsOf(env, false, flags)).toMatchObject(flags);
  });

  it.each([
    ['http://a:1', 'http://a:1'],
    ['http://a:1/', 'http://a:1'],
    ['http://a:1/api/v1', 'http://a:1'],
    ['http://a:1/base/api/v1/', 'http://a:1/base'],
    ['', null],
  ])('reads the server address %j', (text, expected) => {
    expect(toServerAddress(text)).toBe(expected);
  });

  it.each(['localhost:4319', '/tmp/socket', 'ftp://a'])('refuses the server address %j', (text) => {
    expect(() => toServerAddress(text)).toThrow('--server takes an address');
    expect(() => toServerAddress(text, '--url')).toThrow(/^--url /);
  });
});
