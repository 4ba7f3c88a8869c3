import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { createRedactor, type RedactionKind } from './redactor.ts';

/** Assembled at run time, so that secret scanners do not report this file. */
function fake(...pieces: string[]): string {
  return pieces.join('');
}
const BODY = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
const OPENAI = fake('s', 'k-proj-', BODY, '_', BODY);
const JWT = fake('ey', 'JhbGciOiJIUzI1NiJ9', '.ey', 'JzdWIiOiIxMjM0NSJ9', '.c2lnbmF0dXJlLWhlcmU');
const GITHUB = fake('gh', 'p_', BODY.slice(0, 36));
const PEM = fake(
  '-----BEGIN RSA PRIV',
  'ATE KEY-----\nMIIEowIBAAKCAQEA7bq\nx9/abc+def==\n-----END RSA PRIV',
  'ATE KEY-----',
);
const BASIC = Buffer.from('ada:lovelace').toString('base64');
const CARD = fake('4111', ' 1111', ' 1111', ' 1111');
const IBAN = fake('DE89', ' 3704 0044', ' 0532 0130 00');

const all = createRedactor({ secrets: true, personalData: true, salt: 'test' });
const secrets = createRedactor({ secrets: true, personalData: false, salt: 'test' });

/** The text with every marker shortened to its kind. */
function shape(text: string): string {
  return text.replace(/\[redacted:([a-z_]+):[0-9a-f]{4}\]/g, '<$1>');
}

describe('secrets in text', () => {
  test.each<[RedactionKind, string, string]>([
    ['api_key', `use ${OPENAI} now`, 'use <api_key> now'],
    ['api_key', fake('s', 'k-ant-api03-', BODY), '<api_key>'],
    ['api_key', `use ${OPENAI.slice(0, 9)}\0${OPENAI.slice(9)} now`, 'use <api_key> now'],
    ['api_key', `"line\\n${OPENAI}\\n"`, '"line\\n<api_key>\\n"'],
    ['api_key', fake('AI', 'za', BODY.slice(0, 35)), '<api_key>'],
    ['api_key', fake('AK', 'IA', 'QWERTYUIOP123456'), '<api_key>'],
    ['api_key', fake('AS', 'IA', 'QWERTYUIOP123456,'), '<api_key>,'],
    ['secret', fake('aws_secret_access', '_key = ', BODY), 'aws_secret_access_key = <secret>'],
    ['api_key', `git clone https://${GITHUB}@github.com/a/b`, 'git clone https://<api_key>@github.com/a/b'],
    ['api_key', fake('github', '_pat_', BODY, '_', BODY), '<api_key>'],
    ['api_key', fake('gl', 'pat-', BODY.slice(0, 20)), '<api_key>'],
    ['api_key', fake('xo', 'xb-123456789012-', BODY), '<api_key>'],
    ['api_key', fake('s', 'k_live_', BODY), '<api_key>'],
    ['api_key', fake('r', 'k_live_', BODY), '<api_key>'],
    ['api_key', fake('h', 'f_', BODY), '<api_key>'],
    ['api_key', fake('np', 'm_', BODY), '<api_key>'],
    ['api_key', fake('S', 'G.', BODY.slice(0, 22), '.', BODY), '<api_key>'],
    ['api_key', fake('ms', 't_7kq2_', BODY), '<api_key>'],
    ['api_key', fake('gs', 'k_', BODY), '<api_key>'],
    [
      'api_key',
      fake('https://hooks.sl', 'ack.com/services/T00000000/B00000000/', BODY),
      'https://hooks.slack.com/services/<api_key>',
    ],
    [
      'api_key',
      fake('https://disc', 'ord.com/api/webhooks/123456789012345678/', BODY),
      'https://discord.com/api/webhooks/<api_key>',
    ],
    ['jwt', `cookie-less ${JWT}.`, 'cookie-less <jwt>.'],
    ['bearer', `curl -H "Authorization: Bearer ${BODY}"`, 'curl -H "Authorization: Bearer <bearer>"'],
    ['bearer', `Authorization: Basic ${BASIC}`, 'Authorization: Basic <bearer>'],
    ['bearer', '{"Authorization":"Token 9944b09199c62bcf"}', '{"Authorization":"<bearer>"}'],
    ['bearer', 'authorization: Token 9944b09199c62bcf', 'authorization: Token <bearer>'],
    ['private_key', `key:\n${PEM}\nend`, 'key:\n<private_key>\nend'],
    ['private_key', JSON.stringify({ private_key: `${PEM}\n` }), '{"private_key":"<private_key>\\n"}'],
    ['private_key', `${PEM.slice(0, 50)}…`, '<private_key>…'],
    ['password', 'password=hunter2 and more', 'password=<password> and more'],
    ['password', 'Password: Hunter2!', 'Password: <password>'],
    ['password', '{"user":"ada","password":"correct horse"}', '{"user":"ada","password":"<password>"}'],
    ['password', '{"password":"a\\"b"}', '{"password":"<password>"}'],
    [
      'password',
      String.raw`{"arguments":"{\"password\":\"hunter2\"}"}`,
      String.raw`{"arguments":"{\"password\":\"<password>\"}"}`,
    ],
    ['password', '{"password": 123456}', '{"password": "<password>"}'],
    ['password', "DB_PASSWORD='s3cr3t-value'", "DB_PASSWORD='<password>'"],
    ['password', 'Server=db;User=sa;Password=Qwerty7;', 'Server=db;User=sa;Password=<password>;'],
    ['api_key', '?api_key=abcd1234&page=2', '?api_key=<api_key>&page=2'],
    ['api_key', '"x-api-key": "abc"', '"x-api-key": "<api_key>"'],
    ['secret', 'client_secret: 8f14e45fceea167a', 'client_secret: <secret>'],
    ['secret', '{"refreshToken":"1//0abcdef"}', '{"refreshToken":"<secret>"}'],
    ['secret', 'token=f00dfeed12345678cafe', 'token=<secret>'],
    ['cookie', 'Set-Cookie: sid=31d4d96e407aad42; Path=/\nnext', 'Set-Cookie: <cookie>\nnext'],
    ['connection_string', 'postgres://app:pa55@db:5432/x', 'postgres://app:<connection_string>@db:5432/x'],
    ['connection_string', 'redis://:pa55@cache', 'redis://:<connection_string>@cache'],
    ['url_credentials', 'see https://ada:p@ss@example.org/x', 'see https://ada:<url_credentials>@example.org/x'],
  ])('%s: %s', (kind, text, expected) => {
    expect(shape(secrets.redactText(text))).toBe(expected);
    expect(secrets.redactText(text)).toContain(`[redacted:${kind}:`);
  });

  test.each([
    'Please reset your password: click the link below.',
    'The password must have 8 characters. Password: required.',
    'password: string',
    '{"password":"***","api_key":"<your key>","token":"$TOKEN","secret":null}',
    '{"properties":{"password":{"type":"string","description":"The password"}},"required":["password"]}',
    'const password = process.env.DB_PASSWORD;',
    'password=get_password(user)',
    'login(user, password=password)',
    '{"api_key": os.environ["OPENAI_KEY"]}',
    'PWD=/home/ada/project',
    'max_tokens=4096 token_count=17 completion_tokens: 123456 "input_tokens":1234567',
    '{"token":"Hello","tokens":["a","b"],"next_page_token":"abc"}',
    'request 123e4567-e89b-12d3-a456-426614174000 done',
    'trace 0af7651916cd43dd8448eb211c80319c span b7ad6b7169203331',
    'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'risk-assessment-of-the-2024-plan, task-force-141-report-final-version',
    'class sk-loading-indicator-wrapper',
    'Basic authentication and Basic JavaScript knowledge; bearer authentication/authorization',
    'the Basic principles (Bearer tokens) apply',
    'https://example.org:8080/path?x=user:pass@place',
    'ssh://git@github.com/a/b',
    'postgres://app:$DB_PASSWORD@db/x',
    'eyJ is how JWTs begin',
    'hf_model npm_config_registry mst_nothing',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'credentials: "include"',
    'cookie: a small text file',
    'the secret: never give up',
  ])('stays: %s', (text) => {
    expect(secrets.redactText(text)).toBe(text);
  });
});

describe('personal data in text', () => {
  test.each<[RedactionKind, string, string]>([
    ['email', 'write to ada.l+x@mail.example.co.uk.', 'write to <email>.'],
    ['card_number', `card ${CARD}, exp`, 'card <card_number>, exp'],
    ['card_number', `in 2024 ${CARD.replaceAll(' ', '')} was used`, 'in 2024 <card_number> was used'],
    ['iban', `pay ${IBAN} TODAY`, 'pay <iban> TODAY'],
    ['iban', IBAN.replaceAll(' ', ''), '<iban>'],
    ['us_ssn', fake('ssn 219', '-09-', '9999'), 'ssn <us_ssn>'],
    ['phone', 'call +49 30 901820 now', 'call <phone> now'],
    ['phone', 'call (415) 555-2671', 'call <phone>'],
  ])('%s: %s', (kind, text, expected) => {
    expect(shape(all.redactText(text))).toBe(expected);
    expect(all.redactText(text)).toContain(`[redacted:${kind}:`);
    expect(secrets.redactText(text)).toBe(text);
  });

  test.each([
    'git@github.com:owner/repo.git',
    '@scope/package and a@b',
    'order 4111 1111 1111 1112',
    'at 1795220422376099767 ns and 5220422376099767.5',
    'id 4111-1111-1111-1111-abcd',
    'DE00 3704 0044 0532 0130 00',
    '000-12-3456 and 219-00-9999',
    'version 1.2.3-4567, 192.168.100.200, 2024-01-15 10:20:30',
    '+1 and +12 34',
    '5551234567',
  ])('stays: %s', (text) => {
    expect(all.redactText(text)).toBe(text);
  });
});

describe('values under names', () => {
  test.each<[string, Json, Json]>([
    ['http.request.header.authorization', 'Bearer abc', '<bearer>'],
    ['http.request.header.x-api-key', ['k1', 'k2'], ['<api_key>', '<api_key>']],
    ['http.request.header.cookie.0', 'a=b', '<cookie>'],
    ['app.dbPassword', 'x', '<password>'],
    ['password', 123456, '<password>'],
    ['client_secret', 'x y z', '<secret>'],
    ['accessToken', 'short', '<secret>'],
    ['token', 'f00dfeed12345678cafe', '<secret>'],
    ['token', 'Hello', 'Hello'],
    ['password', '', ''],
    ['password', '********', '********'],
    ['hasPassword', true, true],
    ['password', { type: 'string' }, { type: 'string' }],
    ['gen_ai.usage.input_tokens', 1234, 1234],
    ['gen_ai.request.max_tokens', '4096', '4096'],
    ['llm.token_count.prompt', 17, 17],
    ['session.id', 'abc123', 'abc123'],
    ['primary_key', 'abc123', 'abc123'],
    ['blob', { $bytes: Buffer.from([0, 1, 255]).toString('base64') }, { $bytes: 'AAH/' }],
    ['private_key', { $bytes: Buffer.from([0, 1, 255]).toString('base64') }, '<secret>'],
    ['password', { $int64: '1152921504606846976' }, '<password>'],
  ])('%s: %j', (key, value, expected) => {
    const redacted = secrets.redactJson({ [key]: value });
    expect(JSON.parse(shape(JSON.stringify(redacted)))).toEqual({ [key]: expected });
  });

  test('a bearer token has the same marker with and without its scheme', () => {
    const redacted = secrets.redactJson({ authorization: `Bearer ${BODY}` }) as { authorization: string };
    expect(secrets.redactText(`Bearer ${BODY}`)).toBe(`Bearer ${redacted.authorization}`);
  });

  test('values without a secret are returned unchanged, others as a copy', () => {
    const clean: Json = { a: [1, 'x', { b: null }] };
    expect(secrets.redactJson(clean)).toBe(clean);
    const mixed = { clean, dirty: { deep: [OPENAI] } };
    const redacted = secrets.redactJson(mixed) as typeof mixed;
    expect(redacted.clean).toBe(clean);
    expect(shape(redacted.dirty.deep[0]!)).toBe('<api_key>');
    expect(mixed.dirty.deep[0]).toBe(OPENAI);
  });

  test('a member named `__proto__` is an ordinary member', () => {
    const value = JSON.parse(`{"__proto__":{"password":"x"},"n":1}`) as Json;
    expect(shape(JSON.stringify(secrets.redactJson(value)))).toBe('{"__proto__":{"password":"<password>"},"n":1}');
  });

  test('a value nested too deep is truncated instead of overflowing the stack', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}"${OPENAI}"${']'.repeat(50_000)}`) as Json;
    expect(JSON.stringify(secrets.redactJson(deep))).not.toContain(OPENAI);
  });
});

describe('spans', () => {
  const resource = { 'deployment.token': 'f00dfeed12345678cafe' };
  const spanWith = (secret: string): Span => ({
    traceId: 'a1',
    spanId: 'b1',
    parentSpanId: null,
    name: `call ${secret}`,
    kind: 1,
    startNs: 1n,
    endNs: null,
    status: { code: 2, message: `bad key ${secret}` },
    attributes: { plain: 'text', 'tool.arguments': { nested: [{ text: secret }] }, __proto__: 'ignored' },
    events: [{ name: `e ${secret}`, timeNs: 1n, attributes: { 'exception.message': secret } }],
    links: [{ traceId: 'a2', spanId: 'b2', attributes: { why: secret } }],
    resource,
    scope: { name: 's', version: '' },
  });

  test('every part is redacted and counted, a shared resource once', () => {
    const spans = [spanWith(OPENAI), spanWith(GITHUB)];
    expect(secrets.redactSpans(spans)).toEqual({ total: 13, counts: { api_key: 12, secret: 1 } });
    const text = JSON.stringify(spans, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
    expect(text).not.toContain(OPENAI);
    expect(text).not.toContain(GITHUB);
    expect(spans[0]!.attributes.plain).toBe('text');
    expect(secrets.redactSpans(spans)).toEqual({ total: 0, counts: {} });
  });
});

describe('options', () => {
  const text = `${OPENAI} password=hunter2 ada@example.org`;

  test.each<[string, Parameters<typeof createRedactor>[0], string]>([
    ['nothing', { secrets: false, personalData: false, salt: 's' }, text],
    ['secrets', { secrets: true, personalData: false, salt: 's' }, '<api_key> password=<password> ada@example.org'],
    ['personal data', { secrets: false, personalData: true, salt: 's' }, `${OPENAI} password=hunter2 <email>`],
    [
      'single kinds',
      { secrets: true, personalData: false, kinds: { password: false, email: true }, salt: 's' },
      '<api_key> password=hunter2 <email>',
    ],
  ])('%s', (_name, options, expected) => {
    expect(shape(createRedactor(options).redactText(text))).toBe(expected);
  });

  test('the same secret has the same marker, and another marker with another salt', () => {
    const other = createRedactor({ secrets: true, personalData: false, salt: 'other' });
    expect(secrets.redactText(`${OPENAI} ${OPENAI}`)).toMatch(/^(\S+) \1$/);
    expect(other.redactText(OPENAI)).not.toBe(secrets.redactText(OPENAI));
  });
});

test('redacting again changes nothing', () => {
  const pieces = fc.constantFrom(
    ...[
      OPENAI,
      GITHUB,
      JWT,
      PEM,
      CARD,
      IBAN,
      `Bearer ${BODY}`,
      'password=',
      '"api_key": "',
      '\\"secret\\": \\"',
      '"',
      ':',
    ],
    ...[
      'postgres://u:',
      'p@h',
      'ada@example.org',
      ' ',
      '=',
      '\n',
      'x',
      '123456',
      '+49 30 901820',
      'Cookie: a=',
      '[redacted:',
    ],
    ...['[redacted:password:ab12]', 'token: ', 'Authorization: ', 'Basic ', '{', '}', ',', '-----', '\\'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 12 }), (parts) => {
      const once = all.redactText(parts.join(''));
      return all.redactText(once) === once;
    }),
    { seed: 7, numRuns: 5000 },
  );
});
