import { parseJson } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeOpenClaw } from './decode-openclaw.ts';

/** Whether a text begins like a session file in JSON lines: only its first line names the session. */
export function isTranscriptFile(start: string): boolean {
  return /^\{"type": ?"session", ?"version": ?\d/.test(start.trimStart());
}

/** One or several concatenated session files. Rejections point to `line N`, counted from one. */
export function decodeTranscriptFile(text: string): Decoded {
  const lines = text.split('\n').map((line) => line.trim());
  const places = [...lines.keys()].filter((at) => lines[at] !== '');
  const { spans, rejections } = decodeOpenClaw(places.map((at) => parseJson(lines[at]!) ?? null));
  const rejected = rejections.map(({ pointer, message }) => {
    const at = places[Number(pointer.slice(1))];
    return { pointer: at === undefined ? pointer : `line ${at + 1}`, message };
  });
  return { spans, rejections: rejected };
}
