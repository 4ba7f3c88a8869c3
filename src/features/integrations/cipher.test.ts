import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCipher } from './cipher.ts';

const cipher = (secret: string) => createCipher(() => secret, randomBytes);

describe('a sealed text', () => {
  it('decrypts only with its key and owner, and reveals nothing', () => {
    const sealed = cipher('one').seal('n8n-key', 'ins_1');
    expect(cipher('one').open(sealed, 'ins_1')).toBe('n8n-key');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('n8n-key');
  });

  it('looks different each time', () => {
    const { seal } = cipher('one');
    expect(seal('same', 'ins_1')).not.toBe(seal('same', 'ins_1'));
  });

  const sealed = cipher('one').seal('n8n-key', 'ins_1');
  const bytes = Buffer.from(sealed, 'base64');
  const changed = (at: number) => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 1;
    return copy.toString('base64');
  };
  it.each([
    ['under another key', 'two', sealed, 'ins_1'],
    ['for another owner', 'one', sealed, 'ins_2'],
    ['with a changed nonce', 'one', changed(0), 'ins_1'],
    ['with a changed tag', 'one', changed(12), 'ins_1'],
    ['with a changed body', 'one', changed(28), 'ins_1'],
    ['that was cut off', 'one', sealed.slice(0, 8), 'ins_1'],
    ['that is empty', 'one', '', 'ins_1'],
  ])('does not open %s', (_name, secret, text, owner) => {
    expect(() => cipher(secret).open(text, owner)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });

  it('reads the key at the first use only', () => {
    let reads = 0;
    const lazy = createCipher(() => {
      reads += 1;
      return `key ${reads}`;
    }, randomBytes);
    expect(reads).toBe(0);
    expect(lazy.open(lazy.seal('x', 'a'), 'a')).toBe('x');
    expect(reads).toBe(1);
  });
});
