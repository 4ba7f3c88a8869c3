import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Detection } from '../core/detection.ts';
import { DEFAULT_THRESHOLDS } from '../core/thresholds.ts';
import type { RejectedRecords, Trace } from '../core/trace.ts';
import { runDetectors } from './_runner/run.ts';
import { ALL_DETECTORS } from './_testing/all-detectors.ts';
import { parseTrace } from './_testing/notation.ts';
import { NO_MODELS, readmeRows } from './_testing/tester.ts';
import { DETECTORS, type RegisteredDetector } from './registry.ts';

/** Statements that something did not happen at or after the end of what was recorded. */
const STATES_END =
  /\brun (?:then )?(?:ended|ends|stopped)\b|\bwithout an answer\b|\bno answer\b|got no |\bno later\b|\bnever (?:answered|did|worked|used|act)|nothing follows|\bnobody (?:answered|used)\b|no (?:call|result) after/i;

interface Example {
  name: string;
  registered: RegisteredDetector;
  trace: Trace;
  thresholds: object;
}

const EXAMPLES: Example[] = DETECTORS.flatMap((registered) => {
  const { type } = registered.detector;
  const rows = readmeRows(readFileSync(join(import.meta.dirname, type, 'README.md'), 'utf8'));
  return rows
    .filter(({ fires }) => fires !== undefined)
    .map(({ name, trace, thresholds = {} }) => {
      const read = typeof trace === 'string' ? parseTrace(trace) : trace;
      return { name: `${type}, ${name}`, registered, trace: read, thresholds };
    });
});

function detectionsIn({ registered: { detector }, thresholds }: Example, trace: Trace): readonly Detection[] {
  return runDetectors(trace, {
    thresholds: { ...DEFAULT_THRESHOLDS, ...thresholds },
    models: NO_MODELS,
    overrides: {},
    enabled: {},
    detectors: [{ detector, calibration: null }],
  }).detections;
}

const textsOf = ({ explanation, suggestedAction, businessImpact }: Detection) => [
  explanation,
  suggestedAction,
  businessImpact,
];

test('the examples state ends', () => {
  const stating = EXAMPLES.filter((one) =>
    detectionsIn(one, one.trace).some((found) => textsOf(found).some((text) => STATES_END.test(text))),
  );
  expect(stating.length).toBeGreaterThan(12);
});

describe.each(EXAMPLES)('$name', (example) => {
  const { trace } = example;
  const failedByStatus = trace.status === 'error';

  test.skipIf(failedByStatus)('states no end if the last records were rejected', () => {
    const rejectedRecords: RejectedRecords = { count: 2, afterStep: trace.steps.length - 1, isEndMissing: true };
    const found = detectionsIn(example, { ...trace, rejectedRecords, finalOutput: null });
    expect(found.flatMap(textsOf).filter((text) => STATES_END.test(text))).toEqual([]);
  });
});

/** Statements about calls between the recorded ones, or about all calls of the run. */
const STATES_ALL =
  /\bin a row\b|\bnone of (?:its|the|these|them)\b|\bnever\b(?! did it\b)|\b[Aa]ll (?:\d+ )?(?:calls|runs|attempts|results)\b|\b[Ee]very (?:call|attempt)\b|\b(?:[Nn]o|only|[Ee]ach) (?:call|edit|later call|run) of (?:the|this) run\b|\b[Nn]othing (?:was|changed|came)\b|\bwas not run\b|\bno (?:test|later call)/;
/** An advice or a rule may forbid in general. */
const statementsOf = ({ explanation, businessImpact }: Detection) => [explanation, businessImpact];

describe.each(EXAMPLES)('$name', (example) => {
  const { trace } = example;

  test('states nothing about all calls if records between them were rejected', () => {
    const rejectedRecords: RejectedRecords = {
      count: 2,
      afterStep: Math.max(0, trace.steps.length - 2),
      isEndMissing: false,
    };
    const found = detectionsIn(example, { ...trace, rejectedRecords });
    const stated = found.flatMap(statementsOf).flatMap((text) => text.split(/(?<=\.) /));
    expect(stated.filter((text) => STATES_ALL.test(text) && !/\brecorded\b/.test(text))).toEqual([]);
  });
});

const reject = (afterStep: number, isEndMissing: boolean) =>
  `rejected ${JSON.stringify({ count: 3, afterStep, isEndMissing })}`;
const typesIn = (text: string) =>
  runDetectors(parseTrace(text), ALL_DETECTORS).detections.map(({ type, subtype }) => `${type}/${subtype}`);
const LOOP =
  'agent clerk\nuser "Find it."\nrepeat 6\n  llm gpt-4o 9/9 calls find {"q":1} -> "I look."\n  tool find {"q":1} -> "page 1"';
const UNANSWERED =
  'agent clerk\nuser "Where is it now?"\nrepeat 3\n  llm gpt-4o 9/9 calls find {"q":{n}} -> "I look."\n  tool find {"q":{n}} -> "result {n} of many"';
const FAILED =
  'agent clerk\nuser "Book it."\ntool book {"day":1} !! 503: Service Unavailable\nllm gpt-4o 9/9 -> "It is booked."';

test.each<[string, string, string[], string[]]>([
  ['a call that repeats without an answer', LOOP, ['loop/exact_repetition'], ['loop/exact_repetition']],
  ['a last result that nobody answered', UNANSWERED, ['completion/result_unanswered'], []],
  ['a failure that the answer does not mention', FAILED, ['tool_failure/service'], ['tool_failure/service']],
])('%s', (_, text, whole, cut) => {
  const own = (types: string[]) => types.filter((type) => whole.includes(type));
  expect(own(typesIn(text))).toEqual(whole);
  expect(own(typesIn(`${reject(99, true)}\n${text}`))).toEqual(cut);
  // Earlier records were rejected, and the end is recorded.
  expect(own(typesIn(`${reject(0, false)}\n${text}`))).toEqual(whole);
});

test('a failure before rejected records has no known outcome; one after them has', () => {
  const textOf = (line: string) =>
    runDetectors(parseTrace(`${line}\n${FAILED}`), ALL_DETECTORS).detections.find(
      ({ type }) => type === 'tool_failure',
    )!.explanation;
  expect(textOf(reject(1, false))).toContain('whether a later call of it worked is not known');
  expect(textOf(reject(0, false))).toContain('no later call of it worked');
});

describe('calls between which records were rejected', () => {
  const explanationIn = (line: string, text: string, subtype: string) =>
    detectionsIn(
      {
        name: '',
        registered: DETECTORS.find(({ detector }) => subtype in detector.subtypes)!,
        trace: parseTrace(''),
        thresholds: {},
      },
      parseTrace(`${line}\n${text}`),
    )
      .filter((found) => found.subtype === subtype)
      .map(({ explanation }) => explanation);
  const STORM = 'agent clerk\nuser "Book it."\nrepeat 6\n  tool book {"day":1} !! 503: Service Unavailable';
  const CLAIM =
    'agent clerk\nuser "How many?"\noffers run_query {}\nllm m -> "I ran run_query and it returned 4 rows."';

  test.each([
    ['exact_repetition', LOOP, 5],
    ['retry_storm', STORM, 3],
  ])('%s is not said to be in a row', (subtype, text, afterStep) => {
    expect(explanationIn(reject(afterStep, false), text, subtype)[0]).not.toContain('in a row');
    expect(explanationIn(reject(0, false), text, subtype)[0]).toContain('in a row');
  });

  test('a tool that is said to have been used may be in a rejected record', () => {
    expect(explanationIn('', CLAIM, 'claimed_tool_use')).toHaveLength(1);
    expect(explanationIn(reject(0, false), CLAIM, 'claimed_tool_use')).toHaveLength(0);
  });
});
