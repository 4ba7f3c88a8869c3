import { describe, expect, it } from 'vitest';
import { toPublicUrl } from './public-url.ts';

describe('the public URL', () => {
  it.each([
    [undefined, {}, null],
    [undefined, { MISSTEP_PUBLIC_URL: '' }, null],
    [undefined, { MISSTEP_PUBLIC_URL: 'https://a.example' }, { origin: 'https://a.example', basePath: '' }],
    [
      'http://b.example:8080/',
      { MISSTEP_PUBLIC_URL: 'https://a.example' },
      { origin: 'http://b.example:8080', basePath: '' },
    ],
    ['https://EXAMPLE.com/misstep/', {}, { origin: 'https://example.com', basePath: '/misstep' }],
    ['https://example.com:443/a/b', {}, { origin: 'https://example.com', basePath: '/a/b' }],
  ])('of flag %o and environment %o is %o', (flag, env, expected) => {
    expect(toPublicUrl(flag, env)).toEqual(expected);
  });

  it.each([
    'example.com',
    'ftp://example.com',
    'https://user:secret@example.com',
    'https://a.example/?x=1',
    'https://a.example/%20x',
    'https://a.example//x',
  ])('is not %s', (text) => {
    expect(() => toPublicUrl(text, {})).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => toPublicUrl(text, {})).not.toThrow(/secret/);
  });
});
