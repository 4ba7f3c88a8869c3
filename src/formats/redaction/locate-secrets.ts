import type { RedactionKind } from './kinds.ts';
import { splitAtMarkers } from './marker.ts';
import { execNearby } from './nearby-search.ts';
import { afterLead, type Pattern, type Secret } from './pattern.ts';

export interface LocatedSecret extends Secret {
  kind: RedactionKind;
}

interface Piece {
  start: number;
  text: string;
}

/** Secrets of a text in order; markers and matches of earlier patterns are omitted. */
export function locateSecrets(
  text: string,
  patterns: readonly Pattern[],
  kinds: ReadonlySet<RedactionKind>,
): LocatedSecret[] {
  const found: LocatedSecret[] = [];
  if (patterns.length === 0) return found;
  let pieces = textPieces(text);
  for (const pattern of patterns) {
    pieces = pieces.flatMap((piece) => {
      const secrets = secretsIn(piece.text, pattern, kinds);
      if (secrets.length === 0) return [piece];
      for (const secret of secrets)
        found.push({ ...secret, start: piece.start + secret.start, end: piece.start + secret.end });
      return between(piece, secrets);
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

function textPieces(text: string): Piece[] {
  let start = 0;
  const pieces: Piece[] = [];
  for (const [index, part] of splitAtMarkers(text).entries()) {
    if (index % 2 === 0) pieces.push({ start, text: part });
    start += part.length;
  }
  return pieces;
}

function between({ start, text }: Piece, secrets: readonly Secret[]): Piece[] {
  const starts = [0, ...secrets.map((secret) => secret.end)];
  const ends = [...secrets.map((secret) => secret.start), text.length];
  return starts.map((from, index) => ({ start: start + from, text: text.slice(from, ends[index]) }));
}

function secretsIn(text: string, pattern: Pattern, kinds: ReadonlySet<RedactionKind>): LocatedSecret[] {
  const isWanted = ({ kind = pattern.kind }: Secret) => kinds.has(kind);
  const secrets = pattern.find === undefined ? matchesIn(text, pattern, isWanted) : pattern.find(text).filter(isWanted);
  return secrets.map((secret) => ({ ...secret, kind: secret.kind ?? pattern.kind }));
}

function matchesIn(text: string, pattern: Pattern, isWanted: (secret: Secret) => boolean): Secret[] {
  const { needs } = pattern;
  if (needs !== undefined && !needs.some((word) => text.includes(word))) return [];
  const found: Secret[] = [];
  let from = 0;
  let next = 0;
  for (let match = execFrom(pattern, text, next); match !== null; match = execFrom(pattern, text, next)) {
    next = match.index + match[0].length;
    const secret = pattern.locate === undefined ? afterLead(match, 0) : pattern.locate(match, text);
    if (secret === null || secret.end <= secret.start || secret.end <= from || !isWanted(secret)) {
      if (pattern.looksWithinRejected) next = match.index + 1;
      continue;
    }
    // A match may reach back, but not into the previous one.
    found.push(secret.start < from ? { ...secret, start: from } : secret);
    from = secret.end;
    next = secret.end;
  }
  return found;
}

function execFrom({ regex, near }: Pattern, text: string, from: number): RegExpExecArray | null {
  if (near !== undefined) return execNearby(regex!, near, text, from);
  regex!.lastIndex = from;
  return regex!.exec(text);
}
