import { describe, expect, test } from 'vitest';
import { REDACTION_TEXTS, repeated, TOKEN_BODY } from '../../../test/support/hostile-texts.ts';
import { KEY_TABLE } from './key-shapes.ts';
import { createRedactor } from './redactor.ts';

/** Quadratic work on this many characters exceeds the test timeout; `npm run bench -- redaction` measures the growth. */
const LENGTH = 524_288;
const KEY_LENGTH = 65_536;
const PLANTED = '\nTHE_TOKEN=k3J9xQ2mZ7vB5nL8wR1tY6uC4pD0sF2a\n';

const secrets = createRedactor({ secrets: true, personalData: false, salt: 'x' });
const all = createRedactor({ secrets: true, personalData: true, salt: 'x' });

const HIDDEN = all.redactText(PLANTED);

describe('a long malicious text is redacted to its end', () => {
  test('the planted secret is redacted', () =>
    expect(HIDDEN).toMatch(/^\nTHE_TOKEN=\[redacted:secret:[0-9a-f]{4}\]\n$/));

  test.each(KEY_TABLE.map(({ issuer, starts }) => [issuer, starts[0]!] as const))('%s %s', (_issuer, start) => {
    for (const text of [
      start + repeated(TOKEN_BODY, KEY_LENGTH),
      repeated(`-${start}${TOKEN_BODY.slice(0, 9)}`, KEY_LENGTH),
    ])
      expect(secrets.redactText(text + PLANTED).endsWith(HIDDEN)).toBe(true);
  });

  test.each(REDACTION_TEXTS)('$name', ({ piece, found }) => {
    const text = repeated(piece, LENGTH);
    const redacted = all.redactText(`${text}\n-- \n${PLANTED}`);
    expect(redacted.endsWith(HIDDEN)).toBe(true);
    if (found === undefined) expect(redacted === `${text}\n-- \n${HIDDEN}`).toBe(true);
    else expect(redacted).toContain(`[redacted:${found}:`);
  });
});
