import { expect, test } from 'vitest';
import type { Evidence } from '../../core/detection.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { parseTrace } from '../_testing/notation.ts';
import { detectionOf } from './detection-of.ts';

const trace = parseTrace(
  'agent clerk\nllm gpt-4o -> "The ferry leaves at noon."\nllm gpt-4o -> "The bus leaves at nine."',
);
const subtypes = { late: { title: 'Late', impact: 'warning' as const, businessImpact: 'The user waits.' } };
const detector = defineDetector({
  type: 'loop',
  title: 'Loop',
  failureModes: [],
  needs: [],
  subtypes,
  detect() {},
});
const registered = { detector, calibration: null };
const quoted = (quote: string | null, value: Evidence['value'] = null): Evidence => {
  return { kind: 'text', spanId: trace.steps[0]!.spanId, path: 'output', quote, value };
};

const DRAFT: DetectionDraft = {
  subtype: 'late',
  score: 0.9,
  step: 0,
  steps: [0],
  explanation: 'clerk said twice when it leaves: "The ferry leaves at noon."',
  suggestedAction: 'Look at the timetable.',
  evidence: [],
  fixes: [],
  key: 'x',
};

function detectionWith(evidence: Evidence[], more: Partial<DetectionDraft> = {}) {
  return detectionOf(registered, trace, { ...DRAFT, evidence, ...more });
}

test.each<[string, Evidence[], (string | null)[]]>([
  [
    'a quote that the explanation contains in full is omitted',
    [quoted('The ferry leaves at noon.'), quoted('The bus leaves at nine.')],
    ['The bus leaves at nine.'],
  ],
  [
    'one item of each span is kept',
    [quoted('The ferry leaves at noon.'), { ...quoted('The bus leaves at nine.'), spanId: trace.steps[1]!.spanId }],
    ['The ferry leaves at noon.', 'The bus leaves at nine.'],
  ],
  ['the only item is kept', [quoted('The ferry leaves at noon.')], ['The ferry leaves at noon.']],
  ['an item with a value is kept', [quoted('The ferry', 'noon'), quoted(null, 12)], ['The ferry', null]],
])('evidence: %s', (_, evidence, quotes) => {
  expect(detectionWith(evidence).evidence.map(({ quote }) => quote)).toEqual(quotes);
});

test('a long quote ends with a whole word', () => {
  const [evidence] = detectionWith([quoted('timetable '.repeat(60))]).evidence;
  expect(evidence!.quote).toMatch(/timetable…$/);
});

test('no probability is 0 or 1', () => {
  expect(detectionWith([quoted(null)], { model: { name: 'm', probability: 1 } }).confidence).toBe(0.99);
  const calibration = { threshold: 0.5, curve: [[0, 0] as const, [0.8, 1] as const], samples: 9 };
  const { confidence } = detectionOf({ ...registered, calibration }, trace, {
    ...{ subtype: 'late', score: 0.9, step: 0, steps: [0], explanation: 'clerk is late.', suggestedAction: 'Hurry.' },
    ...{ evidence: [quoted(null)], fixes: [], key: 'x' },
  });
  expect(confidence).toBe(0.99);
});

test.each([
  ['clerk', undefined],
  ['shipping', true],
  ['the author of a message', undefined],
])('%s is a node: %s', (agent, isNode) => {
  const workflow = { ...trace, steps: trace.steps.map((step) => ({ ...step, node: 'shipping' })) };
  const step = { score: 0.9, step: 0, steps: [0], explanation: 'It is late.', suggestedAction: 'Hurry.' };
  const draft = { subtype: 'late', ...step, agent, evidence: [quoted(null)], fixes: [], key: 'x' };
  expect(detectionOf(registered, workflow, draft).isNode).toBe(isNode);
});

test('evidence names its step, and a text of several steps once with their number', () => {
  const later = trace.steps[1]!.spanId;
  const noon = quoted('The ferry leaves at noon, as said before.');
  const evidence = [noon, { ...noon, spanId: later }, { ...quoted('The bus leaves at nine.'), spanId: later }];
  expect(detectionWith(evidence).evidence).toMatchObject([
    { step: 0, stepCount: 2, quote: noon.quote },
    { step: 1, quote: 'The bus leaves at nine.' },
  ]);
});

test.each(['', 'The server gave no error text.', 'The execution failed; n8n sent no data about where.'])(
  'evidence of an error without a message is the status of its step: %j',
  (quote) => {
    const failed = parseTrace('tool pay {} !! x');
    const piece = { kind: 'error' as const, spanId: failed.steps[0]!.spanId, path: 'error', quote, value: null };
    const { evidence } = detectionOf(registered, failed, { ...DRAFT, evidence: [piece] });
    expect(evidence).toMatchObject([{ path: 'status', quote: null, value: 'error' }]);
  },
);
