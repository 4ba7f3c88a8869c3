import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Span } from '../../src/core/span.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';

/** All files in a folder and the folders in it, in the order of their names, without READMEs and recorded headers; a file is itself. */
export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).sort();
  return names.filter((name) => !isDescription(name)).flatMap((name) => filesBelow(join(path, name)));
}

function isDescription(name: string): boolean {
  return name.endsWith('.md') || name.endsWith('.headers.json');
}

/** The spans of a recorded file, packed or not; null if no decoder reads it. */
export function spansIn(path: string): Span[] | null {
  const bytes = readFileSync(path);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return decodeAny(isGzip ? gunzipSync(bytes) : bytes, { receivedAtMs: 0 }).spans;
  } catch {
    return null;
  }
}
