import { describe, expect, it } from 'vitest';
import { textHash } from './text-hash.ts';

describe('the hash of a text', () => {
  it('is the same for the same text, and has sixteen digits', () => {
    expect(textHash('ls -la')).toBe(textHash('ls -la'));
    for (const text of ['', 'a', 'ö', 'x'.repeat(10_000)]) expect(textHash(text)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('differs for a hundred thousand texts that hardly differ', () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, number) => textHash(`echo ${number}`)));
    expect(hashes.size).toBe(100_000);
  });
});
