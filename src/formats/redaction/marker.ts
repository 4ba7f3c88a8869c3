import { createHmac } from 'node:crypto';
import type { RedactionKind } from './kinds.ts';

/**
 * The replacement of a secret: `[redacted:api_key:3f9c]`. The four hex digits of HMAC-SHA256 show whether two places
 * contained the same secret, and are too few to recover it.
 */
export function markerOf(kind: RedactionKind, secret: string, salt: string): string {
  const digest = createHmac('sha256', salt).update(secret).digest('hex').slice(0, 4);
  return `[redacted:${kind}:${digest}]`;
}

const MARKER = /(\[redacted:[a-z_]{2,24}:[0-9a-f]{4}\])/;

export function isMarker(text: string): boolean {
  return text.length < 50 && text.replace(MARKER, '') === '' && text !== '';
}

/** Text at even positions, markers at odd ones. */
export function splitAtMarkers(text: string): string[] {
  return text.includes('[redacted:') ? text.split(MARKER) : [text];
}

/** The replacement of an id that contains a secret: 32 hex digits, equal wherever the id occurs. */
export function keyedId(id: string, salt: string): string {
  return createHmac('sha256', salt).update(`id ${id}`).digest('hex').slice(0, 32);
}
