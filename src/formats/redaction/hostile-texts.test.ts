import { describe, expect, test } from 'vitest';
import { growthOfTime, MOST_GROWTH } from '../../../test/support/processor-time.ts';
import { KEY_TABLE } from './key-shapes.ts';
import { createRedactor } from './redactor.ts';

/** Texts of 32 kB and 128 kB that are made to keep the expressions and the code around them busy. */
const LENGTH = 32_768;
const BODY = 'a1B2c3D4e5F6g7H8';

const secrets = createRedactor({ secrets: true, personalData: false, salt: 'x' });
const all = createRedactor({ secrets: true, personalData: true, salt: 'x' });

function growthFor({ redactJson }: typeof all, piece: string, lead = ''): number {
  return growthOfTime((length) => {
    redactJson([lead + piece.repeat(Math.ceil(length / piece.length))]);
  }, LENGTH);
}

describe('four times the text takes about four times the processor time', () => {
  test.each(KEY_TABLE.map(({ issuer, starts }) => [issuer, starts] as const))('%s %j', (_issuer, [start]) => {
    expect(growthFor(secrets, BODY, start), 'before one long run').toBeLessThanOrEqual(MOST_GROWTH);
    expect(growthFor(secrets, `-${start}${BODY.slice(0, 9)}`), 'again and again').toBeLessThanOrEqual(MOST_GROWTH);
  });

  test.each([
    ['a run of letters', 'a'],
    ['a run of digits', '7'],
    ['a run of hex digits', '0f1e2d3c'],
    ['signs of a token', 'a1-'],
    ['names', 'secret token password api_key '],
    ['names with signs', 'token= key: secret="'],
    ['a name that goes on', 'personal_access_'],
    ['names in sentences', 'the password for a and b is '],
    ['names before no value', 'api key for x '],
    ['addresses', 'https://a:b'],
    ['users of addresses', '://a:'],
    ['query signatures', '?sig='],
    ['session cookies', 'a_session='],
    ['cookies', 'Cookie: a=b; '],
    ['authorizations', 'Bearer Basic '],
    ['private keys', '-----BEGIN PRIVATE KEY-----'],
    ['ends of private keys', '-----END PRIVATE KEY-----'],
    ['lines of a key', `${BODY.repeat(4)}\n`],
    ['PuTTY keys', 'Private-Lines: 4 '],
    ['options', 'curl -u a:b --token '],
    ['programs', 'mysql -p'],
    ['fields of .pgpass', 'a:22:'],
    ['fields of .pgpass in a row', ':22:b:c:dddd'],
    ['.netrc', 'login a password '],
    ['webhooks', 'hooks.slack.com/services/'],
    ['middles of tokens', '.atlasv1._mmkJQQJ99AZDO8Q~'],
    ['numbers before Telegram tokens', '1234567:AA'],
    ['invisible characters', 'eyJ\u200b'],
    ['spelt letters', '%73\\u0065\\x63'],
    ['base64 of text', Buffer.from('the password is here ').toString('base64')],
    ['hex of text', Buffer.from('password=').toString('hex')],
    ['separators within base64', 'QUJD/QUJD-'],
    ['backslashes', '\\'],
    ['quotes with backslashes', 'password=\\\\\\"'],
    ['markers', '[redacted:jwt:abcd] eyJ'],
    ['e-mail addresses', 'a.b@c.'],
    ['card numbers', '4111 1111 '],
    ['account numbers', 'DE89 3704 '],
    ['phone numbers', '+49 30 '],
  ])('%s', (_name, piece) => {
    expect(growthFor(all, piece)).toBeLessThanOrEqual(MOST_GROWTH);
  });

  test('quadratic work is noticed', () => {
    const quadratic = (length: number) => {
      let sum = 0;
      for (let at = 0; at < length; at += 1) for (let next = 0; next < length; next += 8) sum ^= at & next;
      return void sum;
    };
    expect(growthOfTime(quadratic, 16_384)).toBeGreaterThan(MOST_GROWTH);
  });
});
