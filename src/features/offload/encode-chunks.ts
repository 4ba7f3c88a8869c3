/** Large enough to amortize the transfer, small enough to be sent without a pause. */
const PIECE_CHARACTERS = 128 * 1024;

/** Joins short texts and encodes them. Each piece has a buffer of its own, which can be moved to another thread. */
export async function* encodeChunks(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let joined = '';
  for await (const text of texts) {
    joined += text;
    if (joined.length < PIECE_CHARACTERS) continue;
    yield encoder.encode(joined);
    joined = '';
  }
  if (joined !== '') yield encoder.encode(joined);
}
