import { describe, expect, test } from 'vitest';
import type { LabelledRecord } from '../fit/load-set.ts';
import { walkThrough } from './walk-through.ts';

const SAID = 'The ferry leaves at noon from the second quay.';

function record(dataset: string, labels: object): LabelledRecord {
  const steps = ['Planner', 'Checker'].map((agent, index) => ({
    index,
    agent,
    name: agent,
    kind: 'llm',
    input: '',
    output: `${SAID} ${index}`,
    span_id: `s${index}`,
    parent_span_id: null,
  }));
  const raw = { id: `${dataset}/1`, dataset, kind: 'trace', framework: 'made', task: 'When?', steps, labels };
  return { ...raw, meta: {}, group: 'g', raw } as unknown as LabelledRecord;
}

const NOTHING_KEPT = { trail: new Map(), attribution: new Map() };

describe('walk-through', () => {
  test('holds the ranking against the label and says whose answer it is', () => {
    const labelled = record('whowhen', { mistake_agent: 'Checker', mistake_step: 1 });
    expect(walkThrough(labelled, NOTHING_KEPT)).toContain('which have seen this run');
    const attribution = new Map([[labelled.id, { agent: 'Planner', step: 0, top: [0, 1] }]]);
    const lines = walkThrough(labelled, { ...NOTHING_KEPT, attribution });
    expect(lines).toContain('Ranking (held out): agent Planner, steps 0, 1');
    expect(lines).toContain('Labelled: agent Checker, step 1');
  });

  test('marks what was found and what was missed', () => {
    const labelled = record('trail', {
      errors: [
        { span_id: 's0', category: 'Goal Deviation', impact: 'HIGH' },
        { span_id: 's1', category: 'Language-only', impact: 'LOW' },
      ],
    });
    const trail = new Map([[labelled.id, [{ span_id: 's0', category: 'Goal Deviation' }]]]);
    const lines = walkThrough(labelled, { ...NOTHING_KEPT, trail });
    expect(lines).toContain('right  0 Planner of Planner: Goal Deviation');
    expect(lines).toContain('found  0 Planner of Planner: Goal Deviation, HIGH');
    expect(lines).toContain('missed 1 Checker of Checker: Language-only, LOW');
  });

  test('prints no text of the record', () => {
    for (const dataset of ['trail', 'whowhen'])
      expect(walkThrough(record(dataset, { mistake_step: 0 }), NOTHING_KEPT)).not.toContain(SAID);
  });
});
