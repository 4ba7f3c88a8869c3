import { encodeSpanLine } from '../../src/formats/misstep/span-line.ts';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import { runSpans } from '../../test/support/store-app.ts';

/** OTLP/JSON of traces of four spans, numbered from `first`. */
export function tracesBody(first: number, count: number): string {
  const runs = Array.from({ length: count }, (_, at) => runSpans(first + at));
  return encodeOtlpJson(runs.flat()).toString();
}

/** JSON lines of traces of four spans, a thousand traces per chunk. */
export function* importLines(traces: number): Generator<string> {
  for (let from = 1; from <= traces; from += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, traces - from + 1) }, (_, at) => from + at);
    yield numbers
      .map((number) =>
        runSpans(number)
          .map((span) => `${encodeSpanLine(span)}\n`)
          .join(''),
      )
      .join('');
  }
}
