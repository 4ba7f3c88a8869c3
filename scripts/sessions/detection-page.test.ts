import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import { runDetectors } from '../../src/detectors/_runner/run.ts';
import { parseTrace } from '../../src/detectors/_testing/notation.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { detectionPage } from './detection-page.ts';

const CONTEXT = { thresholds: DEFAULT_THRESHOLDS, models: createModelCatalog(), overrides: {}, enabled: {} };
const LONG = `first ${'word '.repeat(2_000)}last`;
const trace = parseTrace(
  [
    'task "Where is my order?"',
    'agent clerk',
    ...Array.from({ length: 20 }, (_, at) => `tool get_order {"id":"A${at}"} -> {"note":${JSON.stringify(LONG)}}`),
    'llm gpt-4o 80/20 -> "Your order K4471209 was sent."',
  ].join('\n'),
);
const [detection] = runDetectors(trace, CONTEXT).detections.filter(({ type }) => type === 'grounding');
const page = detectionPage(3, { file: 'shop/a.jsonl', trace, detection: detection! });

it('shows the claim with its evidence', () => {
  expect(page).toContain('# 3. info grounding/invented_identifier');
  expect(page).toContain('shop/a.jsonl');
  expect(page).toContain(detection!.explanation);
  expect(page).toContain('- step 20, text, output: K4471209');
  expect(page).not.toMatch(/^- step .* null$/m);
  expect(page).toContain('    Where is my order?');
});

it('shows the steps around it, with beginning and end of long texts', () => {
  const steps = [...page.matchAll(/^### Step (\d+)/gm)].map(([, index]) => Number(index));
  expect(steps).toEqual([16, 17, 18, 19, 20]);
  expect(page).toContain('characters left out');
  expect(page).toContain('last');
  expect(page.length).toBeLessThan(12_000);
});
