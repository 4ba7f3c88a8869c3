import { describe, expect, it } from 'vitest';
import { difference } from './support/invariance/detected.ts';
import { detectedIn } from './support/invariance/detected-in.ts';
import { ENCODINGS } from './support/invariance/encodings.ts';
import { TEXTS } from './support/invariance/parallel-texts.ts';
import { LANGUAGE_RUNS, PLAIN_RUNS, plainRun } from './support/invariance/plain-runs.ts';

const ENGLISH = TEXTS.English!;
const languages = Object.entries(TEXTS);
const encodings = Object.entries(ENCODINGS);
const plain = Object.keys(PLAIN_RUNS);

/** Detections that are missing in encodings without the required data, in every language. */
const LOST_IN_ENCODING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // A chat message of a tool has no status: whether the call failed is read from its text alone.
  conversation: { 'completion/ended_on_failures': '- tool_failure/never_worked critical @1' },
};

/** Languages in which the wording that the detection depends on is understood. */
const UNDERSTOOD: Readonly<Record<string, readonly string[]>> = {
  // The claim that tests passed is text.
  'completion/tests_claimed_not_run': ['English', 'German', 'Spanish'],
  // Whether the answer admits the failure depends on its text; if the language is not supported, nothing is reported.
  'tool_failure/rate_limit': ['English'],
};

const inEnglish = (name: string) => detectedIn(ENCODINGS['otel gen_ai']!(plainRun(name, ENGLISH)));

describe.each(plain)('%s', (name) => {
  it('fires in English as OpenTelemetry spans', () => {
    expect(inEnglish(name).map((line) => line.split(' ', 1)[0])).toContain(name);
  });

  it.each(encodings)('in %s: the same detections at the same steps in every language', (encoding, encode) => {
    const lost = LOST_IN_ENCODING[encoding]?.[name] ?? '';
    const found = languages.map(([language, texts]) => {
      return [language, difference(inEnglish(name), detectedIn(encode(plainRun(name, texts))))];
    });
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(languages.map(([language]) => [language, lost])));
  });
});

describe.each(Object.keys(LANGUAGE_RUNS))('%s depends on words', (name) => {
  it.each(encodings)('in %s: it fires in the languages that are listed and in no other', (_, encode) => {
    const fired = languages.filter(([, texts]) =>
      detectedIn(encode(plainRun(name, texts))).some((line) => line.startsWith(`${name} `)),
    );
    expect(fired.map(([language]) => language)).toEqual(UNDERSTOOD[name]);
  });
});
