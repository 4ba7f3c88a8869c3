import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passesTokenChecksum } from './checksums.ts';
import { isRealToken } from './key-finder.ts';
import { KEY_TABLE, TAIL_SHAPES } from './key-shapes.ts';
import type { RedactionKind } from './kinds.ts';
import { createRedactor } from './redactor.ts';
import { SeenSecrets } from './seen-secrets.ts';

const { redactText, redactJson } = createRedactor({ secrets: true, personalData: false, salt: 'test' });
const fake = (...pieces: string[]) => pieces.join('');
const shape = (text: string) => text.replace(/\[redacted:([a-z_]+):[0-9a-f]{4}\]/g, '<$1>');
const BODY = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
/** Removes lookaheads, which `fc.stringMatching` does not support. */
const withoutLookahead = (source: string) => source.replace(/\(\?!\[[^\]]*\]\)/g, '');
/** Real tokens consist mainly of letters and digits; uniformly drawn ones may not. */
const isTypical = (token: string) => token.replace(/[^A-Za-z0-9]/g, '').length > 0.75 * token.length;
const KEY = fake('s', 'k-proj-', BODY);
const GITHUB = fake('gh', 'p_', BODY.slice(0, 36));

describe('tokens by their form', () => {
  test.each(
    KEY_TABLE.map(({ issuer, starts, shape: source, kind }) => [issuer, starts, source, kind ?? 'api_key'] as const),
  )('%s %j', (_issuer, starts, source, kind) => {
    const body = withoutLookahead(source);
    const issued = (token: string) =>
      starts.some((start) => token.startsWith(start) && (kind === 'jwt' || isRealToken(token, start)));
    const tokens = fc.sample(fc.stringMatching(new RegExp(`^(?:${body})$`)).filter(issued), { numRuns: 4, seed: 7 });
    for (const token of tokens) {
      const redacted = shape(redactText(`use ${token} now`));
      expect(redacted, token).toBe(`use <${kind}> now`);
      expect(redactText(`use ${token.slice(0, 11)} now`), token).toBe(`use ${token.slice(0, 11)} now`);
    }
  });

  test.each(TAIL_SHAPES.map((source) => [source]))('%s', (source) => {
    const body = withoutLookahead(source);
    const tokens = fc.sample(
      fc
        .stringMatching(new RegExp(`^(?:${body})$`))
        .filter((token) => isRealToken(token, '') && isTypical(token) && /^[A-Za-z0-9]/.test(token)),
      { numRuns: 4, seed: 7 },
    );
    for (const token of tokens) expect(shape(redactText(`use ${token} now`)), token).toBe('use <api_key> now');
  });

  test.each([
    fake('gh', 'p_', 'x'.repeat(36)),
    fake('gh', 'p_YOUR_TOKEN_HERE'),
    fake('sk-', 'x'.repeat(40)),
    'sk-your-api-key-goes-here-1234',
    'sk-chapter-2-of-the-plan-and-the-rest',
    fake('AK', 'IA', '0'.repeat(16)),
    'https://registry.npmjs.org/a/-/a-1.2.3.tgz sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==',
    'commit da39a3ee5e6b4b0d3255bfef95601890afd80709 (HEAD -> main, tag: v1.2.3)\nAuthor: Ada <ada@example.org>\nDate: Mon Jan 1 00:00:00 2024',
    'src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"',
    'Mailgun-like 0cc175b9c0f1b6a831c399e269772661-e269-4b1d',
  ])('stays: %s', (text) => expect(redactText(text)).toBe(text));

  test.each([
    [fake('gh', 'p_', 'a'.repeat(30)), true],
    [fake('np', 'm_', '0'.repeat(30)), true],
  ])('a text with a valid checksum is a token', (lead) => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    // The six digits are computed independently of the tested code.
    let crc = ~0;
    for (const code of Buffer.from(lead.slice(4))) {
      crc ^= code;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    let rest = ~crc >>> 0;
    let digits = '';
    for (let place = 0; place < 6; place += 1) {
      digits = alphabet[rest % 62] + digits;
      rest = Math.floor(rest / 62);
    }
    expect(passesTokenChecksum(lead + digits)).toBe(true);
    expect(passesTokenChecksum(`${lead}${digits.slice(0, 5)}!`)).toBe(false);
    expect(shape(redactText(lead + digits))).toBe('<api_key>');
  });
});

describe('secrets recognized by their surroundings', () => {
  test.each<[RedactionKind, string, string]>([
    ['password', 'curl -u ada:hunter2 https://x.example', 'curl -u ada:<password> https://x.example'],
    ['password', 'curl -s --user "ada:hunter2" https://x', 'curl -s --user "ada:<password>" https://x'],
    ['password', 'mysql -u root -phunter2 shop', 'mysql -u root -p<password> shop'],
    ['password', 'PGPASSWORD=hunter2 psql -h db', 'PGPASSWORD=<password> psql -h db'],
    ['password', 'sshpass -p hunter2 ssh ada@host', 'sshpass -p <password> ssh ada@host'],
    ['password', "sshpass -p 'hunter2' ssh ada@host", "sshpass -p '<password>' ssh ada@host"],
    ['password', 'redis-cli -a hunter2 ping', 'redis-cli -a <password> ping'],
    ['password', 'docker login -u ada -p hunter2', 'docker login -u ada -p <password>'],
    ['password', 'tool --password hunter2 --quiet', 'tool --password <password> --quiet'],
    ['password', 'openssl rsa -passin pass:hunter2 -in k', 'openssl rsa -passin pass:<password> -in k'],
    ['password', 'machine x.example login ada password hunter2', 'machine x.example login ada password <password>'],
    ['password', 'db:5432:shop:ada:hunter2', 'db:5432:shop:ada:<password>'],
    ['password', '"\\ndb.x:5432:*:ada:hunter2\\n"', '"\\ndb.x:5432:*:ada:<password>\\n"'],
    ['password', 'The password is hunter2.', 'The password is <password>.'],
    [
      'password',
      'the password for the staging server is now: Tr0ub4dor&3',
      'the password for the staging server is now: <password>',
    ],
    ['password', 'My password was changed to `hunter2`', 'My password was changed to `<password>`'],
    ['password', 'log in with the password hunter2x9', 'log in with the password <password>'],
    ['secret', 'the secret key is 1a7b3d', 'the secret key is <secret>'],
    ['api_key', 'Your API key is abcd1234efgh', 'Your API key is <api_key>'],
    ['api_key', 'AccountName=x;AccountKey=Zm9vYmFy12==;', 'AccountName=x;AccountKey=<api_key>;'],
    [
      'url_credentials',
      '?sv=2022-11-02&sp=r&sig=a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0abc%3D',
      '?sv=2022-11-02&sp=r&sig=<url_credentials>',
    ],
    ['api_key', fake('12345678', '9:A', 'AEa1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q'), '<api_key>'],
    ['secret', fake('{"auths":{"x":{"auth":"', 'YWRhOmxvdmVsYWNl"}}}'), '{"auths":{"x":{"auth":"<secret>"}}}'],
    ['secret', '//registry.npmjs.org/:_authToken=abcd1234efgh5678', '//registry.npmjs.org/:_authToken=<secret>'],
    ['cookie', 'GET /a;jsessionid=8E9BE9D5E251CFE87EF80E4FB2AB69A4', 'GET /a;jsessionid=<cookie>'],
    [
      'bearer',
      `http.extraheader=AUTHORIZATION: basic ${Buffer.from('ada:lovelace').toString('base64')}`,
      'http.extraheader=AUTHORIZATION: basic <bearer>',
    ],
    ['private_key', fake('MIIEowIBAAKCAQEA7bqx9abc\n-----END RSA PRIV', 'ATE KEY-----'), '<private_key>'],
    [
      'private_key',
      fake('-----BEGIN RSA PRIV', 'ATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMIIEow12'),
      '<private_key>',
    ],
  ])('%s: %s', (kind, text, expected) => {
    expect(shape(redactText(text))).toBe(expected);
    expect(redactText(text)).toContain(`[redacted:${kind}:`);
  });

  test.each([
    'Protected credentials: `list` metadata first',
    'The password is required.',
    'if username is None or password is None:\\n    return',
    'the password is incorrect, and the API key was revoked',
    'curl -u $USER:$PASS https://x',
    'cp -p file target; mkdir -p a/b',
    'tool --token TOKEN  the token to use',
    'password: https://example.org/reset?id=12',
    '<a accesskey="p">',
    '{"Authorization": "Bearer {{ $json.token }}"}',
    '{"Authorization": "Bearer YOUR_TOKEN"}',
    'at 10:30:15:200 host',
    'the token is a word',
    'passwords of 8 to 64 characters',
  ])('stays: %s', (text) => expect(redactText(text)).toBe(text));
});

describe('disguised secrets', () => {
  const insert = (text: string, piece: string) =>
    text.slice(0, 12) + piece + text.slice(12, 30) + piece + text.slice(30);
  test.each([
    ['zero-width space', insert(KEY, '\u200b')],
    ['zero-width joiner', insert(KEY, '\u200d')],
    ['soft hyphen', insert(KEY, '\u00ad')],
    ['byte order mark', insert(KEY, '\ufeff')],
    ['full-width', [...KEY].map((letter) => (letter === '7' ? '\uff17' : letter)).join('')],
    ['JSON escapes', KEY.replace('s', '\\u0073')],
    ['JavaScript escapes', KEY.replace('s', '\\x73')],
    ['percent', [...KEY].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
    ['line break', insert(KEY, '\n')],
    ['line break and indent', insert(KEY, '\r\n    ')],
    ['line break of JSON', insert(KEY, '\\n')],
    ['continued line', insert(KEY, '\\\n')],
    ['base64', Buffer.from(KEY).toString('base64')],
    ['base64url', Buffer.from(KEY).toString('base64url')],
    ['base64 of base64', Buffer.from(Buffer.from(KEY).toString('base64')).toString('base64')],
    ['base64 of more', Buffer.from(`user ada, key ${KEY}`).toString('base64')],
    ['hex', Buffer.from(KEY).toString('hex')],
    ['HEX', Buffer.from(KEY).toString('hex').toUpperCase()],
  ])('%s', (_name, text) => {
    expect(shape(redactText(`it is ${text} there`))).toMatch(/^it is <api_key>=* there$/);
  });

  test('a token that continues in the next line has the marker of the whole token', () => {
    expect(redactText(insert(GITHUB, '\n'))).toBe(redactText(GITHUB));
  });

  test.each([
    ['a name in the next line', `${KEY}\nnext line`, '<api_key>\nnext line'],
    ['percent in an address', 'https://x.example/a%20b?c=%2Fd%3De', 'https://x.example/a%20b?c=%2Fd%3De'],
    [
      'base64 of prose',
      Buffer.from('only some words without meaning').toString('base64'),
      Buffer.from('only some words without meaning').toString('base64'),
    ],
  ])('stays: %s', (_name, text, expected) => expect(shape(redactText(text))).toBe(expected));
});

describe('secrets that occur again', () => {
  const PASSWORD = fake('Tr0ub', 'ador3x');
  const again = (text: string) => (redactJson({ password: PASSWORD, text }) as { text: string }).text;

  test.each([
    ['unmodified', `said ${PASSWORD}!`, 'said <password>!'],
    ['in base64', `said ${Buffer.from(PASSWORD).toString('base64')}!`, 'said <password>!'],
    [
      'in base64 after a name',
      `said ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}!`,
      /^said [A-Za-z0-9]{3,5}<password>=*!$/,
    ],
    ['in hex', `said ${Buffer.from(PASSWORD).toString('hex')}!`, 'said <password>!'],
  ])('%s', (_name, text, expected) => {
    expect(shape(again(text))).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
  });

  test('a plain word that was a password is not redacted elsewhere', () => {
    expect(redactJson({ password: 'swordfish', text: 'a swordfish swims' })).toMatchObject({
      text: 'a swordfish swims',
    });
  });

  test('traces are dropped one by one, the oldest first', () => {
    const seen = new SeenSecrets();
    for (let trace = 0; trace <= 1_000; trace += 1) seen.add('ten', `t${trace}`, new Map([['s', 'secret']]));
    expect(seen.of('ten', 't0')).toBeNull();
    expect(seen.of('ten', 't1')?.size).toBe(1);
    expect(seen.of('other', 't1')).toBeNull();
  });
});
