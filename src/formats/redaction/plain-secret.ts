import { findEncodedText } from './encoded-text.ts';
import { findKeys } from './key-finder.ts';
import type { RedactionKind } from './kinds.ts';

/** Limit for nested encodings: base64 of base64 of a secret is still the same secret. */
const MAX_ENCODINGS = 3;

/**
 * The secret in its original form: without line breaks, JSON and URL escapes, and surrounding base64 or hex. Markers are
 * derived from this form, so that one secret has the same digits everywhere.
 */
export function plainSecret(secret: string): string {
  let plain = withoutBreaks(secret);
  if (plain.includes('\\')) plain = withoutEscapes(plain);
  if (plain.includes('%')) plain = withoutPercent(plain);
  for (let encoding = 0; encoding < MAX_ENCODINGS; encoding += 1) {
    const decoded = decodeWhole(plain);
    if (decoded === null) return plain;
    plain = decoded;
  }
  return plain;
}

/** The kind of a token with an issuer's form, regardless of the name next to it; null for other secrets. */
export function issuedKind(plain: string): RedactionKind | null {
  const [key] = findKeys(plain);
  return key?.start === 0 && key.end === plain.length ? (key.kind ?? null) : null;
}

export function withoutBreaks(secret: string): string {
  return secret.replace(/\\?(?:\r?\n|\\r\\n|\\n)[ \t]*/g, '');
}

function withoutEscapes(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(["'/\\])/g, '$1');
}

function withoutPercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeWhole(text: string): string | null {
  const [encoded] = findEncodedText(text);
  if (encoded?.start !== 0 || encoded.end !== text.length) return null;
  const decoded = encoded.decoded.trim();
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : null;
}
