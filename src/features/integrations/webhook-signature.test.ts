import { describe, expect, it } from 'vitest';
import { isSigned, type SignatureHeaders, signatureOf, verifySignature } from './webhook-signature.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const SECONDS = String(NOW / 1000);
const NONCE = 'nonce-0123456789';
const BODY = Buffer.from('{"a": 1}');

function signed(change: Partial<SignatureHeaders> = {}, secret = 'one', body: Uint8Array = BODY): SignatureHeaders {
  const timestamp = change.timestamp ?? SECONDS;
  const nonce = change.nonce ?? NONCE;
  const signature = `sha256=${signatureOf(secret, timestamp, nonce, body).toString('hex')}`;
  return { signature, timestamp, nonce, ...change };
}

const at = (seconds: number) => String(NOW / 1000 + seconds);

describe('a signature', () => {
  it('is the HMAC that openssl and others make', () => {
    // printf '1768478400.nonce-0123456789.{"a": 1}' | openssl dgst -sha256 -hmac one
    expect(signatureOf('one', SECONDS, NONCE, BODY).toString('hex')).toBe(
      '34fc1a46f0ecf6cc9eee8eb9ff7182fa454414e0703d33287b5cada8983d8a64',
    );
  });

  it.each<[string, SignatureHeaders]>([
    ['as it is', signed()],
    ['in capitals', { ...signed(), signature: signed().signature!.toUpperCase().replace('SHA256', 'sha256') }],
    ['of another active secret', signed({}, 'two')],
    ['five minutes old', signed({ timestamp: at(-300) })],
    ['five minutes ahead', signed({ timestamp: at(300) })],
    ['with the shortest nonce', signed({ nonce: 'x'.repeat(16) })],
    ['with the longest nonce', signed({ nonce: 'x'.repeat(64) })],
  ])('holds %s', (_name, headers) => {
    const { secretAt } = verifySignature(headers, BODY, ['one', 'two'], NOW);
    expect(secretAt).toBe(headers.signature === signed({}, 'two').signature ? 1 : 0);
  });

  it.each<[string, SignatureHeaders, string]>([
    ['that is missing', { ...signed(), signature: null }, 'X-SVC-Signature is missing'],
    ['without timestamp', { ...signed(), timestamp: null }, 'X-SVC-Timestamp is missing'],
    ['without nonce', { ...signed(), nonce: null }, 'X-SVC-Nonce is missing'],
    ['of another secret', signed({}, 'three'), 'does not match'],
    ['of another body', signed({}, 'one', Buffer.from('{"a":1}')), 'does not match'],
    ['of another time', { ...signed(), timestamp: at(1) }, 'does not match'],
    ['of another nonce', { ...signed(), nonce: `${NONCE}!` }, 'does not match'],
    ['too old', signed({ timestamp: at(-301) }), '300 seconds'],
    ['too far ahead', signed({ timestamp: at(301) }), '300 seconds'],
    ['with milliseconds', signed({ timestamp: String(NOW) }), 'Unix seconds'],
    ['with a time in words', signed({ timestamp: 'now' }), 'Unix seconds'],
    ['with a negative time', signed({ timestamp: '-5' }), 'Unix seconds'],
    ['with too short a nonce', signed({ nonce: 'x'.repeat(15) }), '16 to 64'],
    ['with too long a nonce', signed({ nonce: 'x'.repeat(65) }), '16 to 64'],
    ['with a space in the nonce', signed({ nonce: 'nonce 0123456789' }), '16 to 64'],
    ['without its scheme', { ...signed(), signature: signed().signature!.slice(7) }, 'sha256='],
    ['of another scheme', { ...signed(), signature: signed().signature!.replace('sha256', 'sha512') }, 'sha256='],
    ['that is too short', { ...signed(), signature: 'sha256=00' }, 'sha256='],
    ['that is empty', { ...signed(), signature: '' }, 'sha256='],
  ])('does not hold %s', (_name, headers, message) => {
    expect(() => verifySignature(headers, BODY, ['one', 'two'], NOW)).toThrow(
      expect.objectContaining({ code: 'unauthenticated', message: expect.stringContaining(message) }),
    );
  });

  it('is invalid without a secret', () => {
    expect(() => verifySignature(signed({}, ''), BODY, [], NOW)).toThrow('does not match');
  });
});

it.each([
  [{ signature: null, timestamp: null, nonce: null }, false],
  [{ signature: 's', timestamp: null, nonce: null }, true],
  [{ signature: null, timestamp: 't', nonce: null }, true],
  [{ signature: null, timestamp: null, nonce: 'n' }, true],
])('headers %j are signed: %s', (headers, expected) => {
  expect(isSigned(headers)).toBe(expected);
});
