import { describe, expect, it } from 'vitest';
import { toMetricsListen } from './serve-config.ts';

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
  ])('refuses %s: nobody is asked there who they are', (text) => {
    expect(() => toMetricsListen(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
