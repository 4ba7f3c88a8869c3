import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../src/core/thresholds.ts';
import { MATERIAL_LIMIT, VERDICTS } from '../src/detectors/_kit/question.ts';
import { runDetectors } from '../src/detectors/_runner/run.ts';
import { CERTAIN_CONFIDENCE } from '../src/detectors/_runner/second-opinion.ts';
import { parseTrace } from '../src/detectors/_testing/notation.ts';
import { DETECTORS } from '../src/detectors/registry.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION, type TenantDetection } from '../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { allRuns } from './support/all-runs.ts';
import { DERAILED_TASK, RECIPE } from './support/derailed-run.ts';

const models = createModelCatalog();
/** All detectors enabled and sensitive, so that there are many questions. */
const SENSITIVE: TenantDetection = {
  ...DEFAULT_DETECTION,
  enabled: Object.fromEntries(DETECTORS.map(({ detector }) => [detector.type, true])),
  overrides: Object.fromEntries(DETECTORS.map(({ detector }) => [detector.type, 0.1])),
};
const DOCUMENTS = [
  'The Aldersund yard built the harbour ferry in 1987. It carries 212 passengers and leaves Lindholm at 7:40 on weekdays.',
  'In winter the crossing takes about 35 minutes because of the ice in the northern channel of the harbour.',
];
const UNSUPPORTED =
  'Princess Margarethe christened the vessel Silverwind during a festival attended by ambassadors from Portugal.';
const NOTATIONS: readonly string[] = [
  `task "${DERAILED_TASK}"\nagent clerk\nllm m -> "${RECIPE}"`,
  `task "Compare the ferries of Norway, and name the captains."\nagent cook\nllm m -> "${RECIPE}"`,
  'task "List the fares. Respond only with valid JSON."\nagent clerk\nllm m -> "The ferry costs 120 euros for two."',
  'agent clerk\ntool find_order {"name":"Ann"} -> {"order_id":"A-77812"}\nagent writer\nllm m -> "Please provide the order id."',
  'agent smith\ntool find_seat {"name":"Bo"} -> {"seat_code":"B-4711"}\nagent jones\nllm m -> "Please provide the seat code."',
  'graph router -> writer\nnode router goto editor\nnode writer -> "text"',
  'agent critic\nllm m -> "Ready."\nagent planner\nllm m -> "@critic Is the plan safe?"\nllm m -> "We go ahead."',
  `agent guide\nuser "Tell me about the harbour ferry"\nretrieval "harbour ferry" -> ${JSON.stringify(DOCUMENTS)}\nllm m -> "${UNSUPPORTED}"`,
];
const ofNotations = NOTATIONS.map((notation) => {
  const trace = parseTrace(notation);
  const run = (answers?: Record<string, never>) =>
    runDetectors(trace, { ...SENSITIVE, thresholds: DEFAULT_THRESHOLDS, adapted: {}, models, answers });
  return { name: notation, plain: run(), withQuestions: run({}) };
});
const ofRuns = allRuns().map(([name, spans]) => {
  const run = (answers?: Record<string, never>) =>
    analyzeSpans(structuredClone(spans), { isSettled: true, models, tenant: SENSITIVE, answers }).result;
  return { name, plain: run(), withQuestions: run({}) };
});
const all = [...ofNotations, ...ofRuns];
const questions = all.flatMap(({ withQuestions }) => withQuestions.questions);

describe('questions of the shipped detectors', () => {
  it('come from five of them, which all have `questions` and `conclude`', () => {
    const asking = DETECTORS.filter(({ detector }) => detector.questions !== undefined);
    expect(asking.map(({ detector }) => detector.type).sort()).toEqual([
      'communication',
      'derailment',
      'hallucination',
      'output_validation',
      'withholding',
    ]);
    expect(asking.every(({ detector }) => detector.conclude !== undefined)).toBe(true);
  });

  it('are covered by the fixtures', () => {
    const types = new Set(questions.map(({ key }) => key.split(' ')[0]));
    expect([...types].sort()).toEqual([
      'communication',
      'derailment',
      'hallucination',
      'output_validation',
      'withholding',
    ]);
  });

  it('do not change the detections', () => {
    for (const { name, plain, withQuestions } of all) expect({ ...withQuestions, questions: [] }, name).toEqual(plain);
  });

  it('are plain data, and the same in a second run', () => {
    for (const question of questions) expect(JSON.parse(JSON.stringify(question))).toEqual(question);
    for (const { name, withQuestions } of ofNotations) {
      const again = runDetectors(parseTrace(name), {
        ...SENSITIVE,
        thresholds: DEFAULT_THRESHOLDS,
        adapted: {},
        models,
        answers: {},
      });
      expect(again.questions, name).toEqual(withQuestions.questions);
    }
  });

  it('are about uncertain detections that the rules have, never about critical ones', () => {
    for (const { name, withQuestions } of all) {
      for (const { key } of withQuestions.questions) {
        const about = withQuestions.detections.find(
          ({ type, subtype, spanIds }) => `${type} ${subtype} ${spanIds[0]}` === key,
        );
        expect(about, `${name}: ${key}`).toBeDefined();
        expect(about?.confidence, key).toBeLessThan(CERTAIN_CONFIDENCE);
        const registered = DETECTORS.find(({ detector }) => detector.type === about?.type);
        expect(registered?.detector.subtypes[about?.subtype ?? '']?.impact, key).not.toBe('critical');
      }
    }
  });

  it('contain no trace text outside the quoted parts', () => {
    // A few fixed sentences; names and quotes are in the material.
    const words = new Set(
      questions.map(({ ask, material }) => JSON.stringify([ask, material.map(({ label }) => label)])),
    );
    expect(words.size).toBeLessThanOrEqual(7);
    expect(questions.length).toBeGreaterThan(words.size);
  });

  it('are short and offer the fixed set of answers', () => {
    for (const { key, material, answers, ask } of questions) {
      const length = material.reduce((sum, { text }) => sum + text.length, 0);
      expect(length, key).toBeLessThanOrEqual(MATERIAL_LIMIT);
      expect(
        material.some(({ text }) => text.trim() !== ''),
        key,
      ).toBe(true);
      expect(ask.length, key).toBeLessThan(500);
      expect(answers).toEqual(VERDICTS);
    }
  });
});
