/** A hash of the characters outside volatile parts. Cheap; messages with different hashes differ. */
export function lastingMarks(text: string): number {
  let hash = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 128 && IS_LASTING[code] === 1) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}

const IS_LASTING = Uint8Array.from({ length: 128 }, (_, code) =>
  '!"#$%&\'()*;?@[]^`{|}~'.includes(String.fromCharCode(code)) ? 1 : 0,
);
