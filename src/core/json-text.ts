/** A JSON document as a sequence of UTF-8 chunks, for responses that are too large to buffer. It can be read once. */
export class JsonText<Value = unknown> implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterable<Uint8Array>;
  /** The parsed value, for type checking only. */
  declare readonly valueType: Value;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#pieces[Symbol.asyncIterator]();
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of this.#pieces) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  }

  async value(): Promise<Value> {
    return JSON.parse(await this.text()) as Value;
  }
}

/** A JSON object whose last members are lists; yields one list item per chunk. */
export function* jsonWithLists(
  plain: Readonly<Record<string, unknown>>,
  lists: Readonly<Record<string, Iterable<unknown>>>,
): Generator<string> {
  let before = JSON.stringify(plain).slice(0, -1);
  for (const [name, items] of Object.entries(lists)) {
    yield `${before}${before === '{' ? '' : ','}${JSON.stringify(name)}:[`;
    let isFirst = true;
    for (const item of items) {
      yield isFirst ? JSON.stringify(item) : `,${JSON.stringify(item)}`;
      isFirst = false;
    }
    before = ']';
  }
  yield `${before}}`;
}
