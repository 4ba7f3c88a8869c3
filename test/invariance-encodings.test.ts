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

/** A chat message of a tool has no status: whether the call failed is read from its text alone. */
const NO_STATUS = {
  'completion/ended_on_failures': '- tool_failure/never_worked critical @1',
  // Whether the answer hides the failure of a single call is read in twelve languages, without Arabic.
  'tool_failure/never_worked': {
    Arabic: '- tool_failure/never_worked warning @1',
    others: '- tool_failure/never_worked warning @1, + tool_failure/internal_error warning @1',
  },
};

/** The calls are inside the span of the agent, which did not fail itself: the failed call at the end does not fail the run. */
const FAILED_INSIDE = {
  'completion/ended_on_failures': '- tool_failure/never_worked critical @1, + tool_failure/never_worked warning @1',
};

/** The same difference in every language, or a different one in some of them. */
type Lost = string | Readonly<Record<string, string>>;

/** Detections that are missing in encodings without the required data, in every language. */
const LOST_IN_ENCODING: Readonly<Record<string, Readonly<Record<string, Lost>>>> = {
  conversation: NO_STATUS,
  'openai responses': NO_STATUS,
  'openai agents': FAILED_INSIDE,
  'otel gen_ai agents': FAILED_INSIDE,
  'openinference agents': FAILED_INSIDE,
};

/** Languages in which the wording that the detection depends on is understood. */
const UNDERSTOOD: Readonly<Record<string, readonly string[]>> = {
  // The claim that tests passed is text.
  'completion/tests_claimed_not_run': ['English', 'German', 'Spanish'],
  // Whether the answer admits the failure depends on its text; if the language is not supported, nothing is reported.
  'tool_failure/rate_limit': ['English', 'German', 'Spanish', 'Polish', 'Japanese'],
  // What announces an action is read from its words.
  'completion/announced_call_missing': ['English', 'German', 'Spanish', 'Japanese'],
};

const foundInEnglish = new Map<string, string[]>();
function inEnglish(name: string): string[] {
  const found = foundInEnglish.get(name) ?? detectedIn(ENCODINGS['otel gen_ai']!(plainRun(name, ENGLISH)));
  foundInEnglish.set(name, found);
  return found;
}

describe.each(plain)('%s', (name) => {
  it('fires in English as OpenTelemetry spans', () => {
    expect(inEnglish(name).map((line) => line.split(' ', 1)[0])).toContain(name);
  });

  it.each(encodings)('in %s: the same detections at the same steps in every language', (encoding, encode) => {
    const lost = LOST_IN_ENCODING[encoding]?.[name] ?? '';
    const lostIn = (language: string) => (typeof lost === 'string' ? lost : (lost[language] ?? lost.others));
    const found = languages.map(([language, texts]) => {
      return [language, difference(inEnglish(name), detectedIn(encode(plainRun(name, texts))))];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(languages.map(([language]) => [language, lostIn(language)])),
    );
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
