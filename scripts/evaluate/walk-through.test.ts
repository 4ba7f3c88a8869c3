import { describe, expect, test } from 'vitest';
import type { LabelledRecord } from '../fit/load-set.ts';
import { walkThrough } from './walk-through.ts';

const TEXT = 'The ferry leaves at noon from the second quay.';

function record(dataset: string, labels: object): LabelledRecord {
  const steps = ['Planner', 'Checker'].map((agent, index) => ({
    index,
    agent,
    name: agent,
    kind: 'llm',
    input: '',
    output: `${TEXT} ${index}`,
    span_id: `s${index}`,
    parent_span_id: null,
  }));
  const raw = { id: `${dataset}/1`, dataset, kind: 'trace', framework: 'made', task: 'When?', steps, labels };
  return { ...raw, meta: {}, group: 'g', raw } as unknown as LabelledRecord;
}

const NO_CACHED_FITS = { trail: new Map(), attribution: new Map() };

describe('walk-through', () => {
  test('compares the ranking with the label and names its source', () => {
    const labelled = record('whowhen', { mistake_agent: 'Checker', mistake_step: 1 });
    expect(walkThrough(labelled, NO_CACHED_FITS)).toContain('which have seen this run');
    const attribution = new Map([[labelled.id, { agent: 'Planner', step: 0, top: [0, 1] }]]);
    const lines = walkThrough(labelled, { ...NO_CACHED_FITS, attribution });
    expect(lines).toContain('Ranking (held out): agent Planner, steps 0, 1');
    expect(lines).toContain('Labelled: agent Checker, step 1');
  });

  test('marks found and missed annotations', () => {
    const labelled = record('trail', {
      errors: [
        { span_id: 's0', category: 'Goal Deviation', impact: 'HIGH' },
        { span_id: 's1', category: 'Language-only', impact: 'LOW' },
      ],
    });
    const trail = new Map([[labelled.id, [{ span_id: 's0', category: 'Goal Deviation' }]]]);
    const lines = walkThrough(labelled, { ...NO_CACHED_FITS, trail });
    expect(lines).toContain('right  0 Planner of Planner: Goal Deviation');
    expect(lines).toContain('found  0 Planner of Planner: Goal Deviation, HIGH');
    expect(lines).toContain('missed 1 Checker of Checker: Language-only, LOW');
  });

  test('prints no text of the record', () => {
    for (const dataset of ['trail', 'whowhen'])
      expect(walkThrough(record(dataset, { mistake_step: 0 }), NO_CACHED_FITS)).not.toContain(TEXT);
  });
});
