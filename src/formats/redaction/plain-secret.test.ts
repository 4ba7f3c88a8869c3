import { describe, expect, it } from 'vitest';
import { plainSecret } from './plain-secret.ts';
import { createRedactor } from './redactor.ts';

const redactor = createRedactor({ secrets: true, personalData: false, salt: 'test' });

/** Assembled at run time, so that secret scanners do not report this file. */
const fake = (...pieces: string[]) => pieces.join('');
const ISSUED = fake('gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8');
const NAMED = fake('q7Zp2', 'LxV9aa+4', 'kD/81xW');
const PEM = [
  '-----BEGIN RSA PRIV',
  'ATE KEY-----\nMIIEowIBAAKCAQEA7bq\nx9/abc+def==\n-----END RSA PRIV',
  'ATE KEY-----',
].join('');

const base64 = (text: string) => Buffer.from(text).toString('base64');

function markersIn(value: unknown): string[] {
  const found = JSON.stringify(value).match(/\[redacted:[a-z_]+:[0-9a-f]{4}\]/g) ?? [];
  return [...new Set(found)];
}

describe('one secret has one marker', () => {
  const places = (secret: string) => [
    `SERVICE_TOKEN=${secret}`,
    `API_KEY="${secret}"`,
    `{"token": "${secret}"}`,
    JSON.stringify(JSON.stringify({ client_secret: secret })),
    `the token is ${secret}.`,
    `my API key was changed to "${secret}"`,
    `Authorization: Bearer ${secret}`,
    `curl -H "X-Api-Key: ${secret}" https://api.example.org`,
    `https://api.example.org/?access_token=${encodeURIComponent(secret)}`,
    `data:\n  token: ${base64(secret)}`,
    `data:\n  token: ${base64(`${secret}\n`)}`,
    `a line with ${secret} in it`,
  ];

  it('a value that only its names mark as a secret has the same digits for any kind', () => {
    const redacted = redactor.redactJson(places(NAMED));
    expect(JSON.stringify(redacted)).not.toContain(NAMED);
    const markers = markersIn(redacted);
    expect(markers.length).toBeGreaterThan(1);
    expect([...new Set(markers.map((marker) => marker.slice(-5)))]).toHaveLength(1);
  });

  it('an issued token has one marker in one value', () => {
    const redacted = redactor.redactJson(places(ISSUED));
    expect(JSON.stringify(redacted)).not.toContain(ISSUED);
    expect(markersIn(redacted)).toHaveLength(1);
  });

  it.each(places(ISSUED))('an issued token has one marker in each text: %s', (text) => {
    const [marker] = markersIn(redactor.redactText(ISSUED));
    expect(markersIn(redactor.redactText(text))).toEqual([marker]);
  });

  it('a key of several lines has one marker, unmodified and in JSON', () => {
    const redacted = redactor.redactJson([PEM, JSON.stringify({ private_key: PEM }), PEM.replaceAll('\n', '\r\n')]);
    expect(markersIn(redacted)).toHaveLength(1);
  });

  it('another secret has another marker', () => {
    const redacted = redactor.redactJson([`API_KEY=${NAMED}`, `API_KEY=${NAMED}x`]);
    expect(markersIn(redacted)).toHaveLength(2);
  });
});

it.each([
  ['unmodified', NAMED, NAMED],
  ['percent', encodeURIComponent(NAMED), NAMED],
  ['a lone percent sign', 'a%zz1', 'a%zz1'],
  ['base64 of base64', base64(base64(NAMED)), NAMED],
  ['bytes that are not text', 'a1B2c3D4e5F6g7H8i9J0k1L2', 'a1B2c3D4e5F6g7H8i9J0k1L2'],
  ['escapes of JSON', 'ab\\"c\\\\d\\u0065', 'ab"c\\de'],
])('plain form: %s', (_name, secret, plain) => expect(plainSecret(secret)).toBe(plain));
