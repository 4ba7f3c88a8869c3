import type { RedactionKind } from './kinds.ts';
import { splitAtMarkers } from './marker.ts';

interface Needle {
  text: string;
  kind: RedactionKind;
  secret: string;
  isBase64: boolean;
}

const MIN_SECRET_LENGTH = 7;
const MAX_SECRET_LENGTH = 4096;
const MIN_NEEDLE_LENGTH = 7;
/** Bounds the work that malicious input can cause. */
const MAX_SECRETS = 200;
const MAX_ALIKE = 16;

/**
 * Finds further occurrences of known secrets: unmodified, in base64 (all three alignments), hex, percent-encoded or
 * JSON-escaped.
 */
export class SecretEchoes {
  /** By their last characters, which differ between secrets with a common prefix. */
  readonly #byTail = new Map<string, Needle[]>();
  readonly #tailStarts = new Uint8Array(65_536);
  readonly #known = new Set<string>();

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  add(secret: string, kind: RedactionKind): void {
    if (this.#known.has(secret) || secret.length < MIN_SECRET_LENGTH || secret.length > MAX_SECRET_LENGTH) return;
    if (this.#known.size >= MAX_SECRETS) return;
    this.#known.add(secret);
    for (const { text, isBase64 } of spellings(secret)) {
      if (text.length < MIN_NEEDLE_LENGTH) continue;
      const tail = text.slice(-MIN_NEEDLE_LENGTH);
      const needles = this.#byTail.get(tail) ?? [];
      if (needles.length < MAX_ALIKE) needles.push({ text, kind, secret, isBase64 });
      this.#byTail.set(tail, needles);
      this.#tailStarts[hashAt(tail, 0)] = 1;
    }
  }

  /** The text with each echo replaced by `markerFor`. */
  replace(text: string, markerFor: (kind: RedactionKind, secret: string) => string): string {
    if (text.length < MIN_NEEDLE_LENGTH) return text;
    const pieces = splitAtMarkers(text);
    const replaced = pieces.map((piece, index) => (index % 2 === 1 ? piece : this.#replaceIn(piece, markerFor)));
    return replaced.every((piece, index) => piece === pieces[index]) ? text : replaced.join('');
  }

  #replaceIn(text: string, markerFor: (kind: RedactionKind, secret: string) => string): string {
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at + MIN_NEEDLE_LENGTH <= text.length; at += 1) {
      if (this.#tailStarts[hashAt(text, at)] === 0) continue;
      const needle = this.#endingAt(text, at, from);
      if (needle === null) continue;
      const [start, end] = rangeOf(text, at + MIN_NEEDLE_LENGTH - needle.text.length, needle, from);
      parts.push(text.slice(from, start), markerFor(needle.kind, needle.secret));
      from = end;
      at = end - 1;
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(from);
  }

  /** The search text whose end is at `at`, and which starts at `lowest` or later. */
  #endingAt(text: string, at: number, lowest: number): Needle | null {
    const needles = this.#byTail.get(text.slice(at, at + MIN_NEEDLE_LENGTH)) ?? [];
    for (const needle of needles) {
      const start = at + MIN_NEEDLE_LENGTH - needle.text.length;
      if (start >= lowest && text.startsWith(needle.text, start)) return needle;
    }
    return null;
  }
}

/** The digits next to the core of base64 contain bits of the secret's first and last characters. */
function rangeOf(text: string, at: number, { text: needle, isBase64 }: Needle, lowest: number): [number, number] {
  let start = at;
  let end = at + needle.length;
  if (!isBase64) return [start, end];
  while (start > lowest && at - start < 2 && /[A-Za-z0-9+/_-]/.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && end - at - needle.length < 3 && /[A-Za-z0-9+/_=-]/.test(text.charAt(end))) end += 1;
  return [start, end];
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}

function spellings(secret: string): { text: string; isBase64: boolean }[] {
  const bytes = Buffer.from(secret);
  const plain = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].filter((text) => text !== secret);
  if (isUnlikeProse(secret)) plain.push(secret);
  else plain.splice(0);
  const hex = bytes.toString('hex');
  return [
    ...[...new Set([...plain, hex, hex.toUpperCase()])].map((text) => ({ text, isBase64: false })),
    ...[...new Set([0, 1, 2].flatMap((lead) => base64Cores(bytes, lead)))].map((text) => ({ text, isBase64: true })),
  ];
}

/** A word or a number may occur again without being the secret. */
function isUnlikeProse(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret) && !/\s/.test(secret);
}

/** The digits that depend only on the secret if `lead` other bytes precede it. */
function base64Cores(bytes: Buffer, lead: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64');
  const core = encoded.slice(Math.ceil((lead * 8) / 6), Math.floor(((lead + bytes.length) * 8) / 6));
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
}
