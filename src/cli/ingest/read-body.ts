/** Reads the stream to its end; null if it is longer than `maxBytes`. */
export async function readBody(stream: AsyncIterable<Buffer | string>, maxBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    size += bytes.length;
    if (size > maxBytes) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
