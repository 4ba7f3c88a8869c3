import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import { decodeAny } from './detect-format.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures');
/** OTLP has tests with mutated bodies. */
const IS_OTLP = /^(?:conventions|otlp)\//;
const IS_RESULT = /\.(?:expected|spans)\.json$/;
/** Longer bodies repeat the shapes of the others. */
const MAX_CHARACTERS = 30_000;
const OTHER_VALUES: readonly Json[] = [null, 7, 'x', {}, [null]];

const bodies = globSync('**/*.json', { cwd: FIXTURES })
  .filter((file) => !IS_OTLP.test(file) && !IS_RESULT.test(file))
  .map((file): [file: string, text: string] => [file, readFileSync(join(FIXTURES, file), 'utf8')])
  .filter(([, text]) => text.length <= MAX_CHARACTERS)
  .sort();

type Place = readonly (string | number)[];

/** Places of the values in a document. A key counts once for all elements of a list. */
function placesIn(document: Json): Place[] {
  const places = new Map<string, Place>();
  const visit = (value: Json, place: Place, shape: string) => {
    if (!places.has(shape)) places.set(shape, place);
    if (Array.isArray(value)) for (const [at, item] of value.entries()) visit(item, [...place, at], `${shape}/*`);
    else if (isJsonObject(value))
      for (const [key, item] of Object.entries(value)) visit(item, [...place, key], `${shape}/${key}`);
  };
  visit(document, [], '');
  return [...places.values()];
}

function withValueAt(document: Json, place: Place, value: Json): Json {
  if (place.length === 0) return value;
  const changed = structuredClone(document);
  let parent = changed as { [key: string]: Json };
  for (const key of place.slice(0, -1)) parent = parent[key] as typeof parent;
  parent[place.at(-1)!] = value;
  return changed;
}

function crashOf(document: Json): string | null {
  try {
    decodeAny(Buffer.from(JSON.stringify(document)), { receivedAtMs: 1_800_000_000_000 });
    return null;
  } catch (error) {
    return error instanceof AppError ? null : String(error);
  }
}

describe('a value of another type, anywhere in a body, never makes a decoder throw', () => {
  test.each(bodies)('%s', (_file, text) => {
    const document = parseJson(text)!;
    const crashes = placesIn(document).flatMap((place) =>
      OTHER_VALUES.flatMap((value) => {
        const crash = crashOf(withValueAt(document, place, value));
        return crash === null ? [] : [`/${place.join('/')} = ${JSON.stringify(value)}: ${crash}`];
      }),
    );
    expect(crashes).toEqual([]);
  });
});
