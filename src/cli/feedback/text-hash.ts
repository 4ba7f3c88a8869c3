/**
 * Sixteen hex digits that identify a text (two FNV-1a hashes of 32 bits). Not cryptographic, because loading
 * `node:crypto` takes longer than all other work of a hook.
 */
export function textHash(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x9dc5811c;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ (code + at), 0x01000193);
  }
  return [one, other].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}
