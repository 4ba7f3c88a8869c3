import { describe, expect, it } from 'vitest';
import { outlineOfSteps } from '../../../test/support/outline-of-steps.ts';
import type { Detection, Severity } from '../../client/misstep-client.generated.ts';
import { stepsBySpan, toColumns } from './columns.ts';
import { severityOf, stepDetections } from './step-detections.ts';

const columns = toColumns(outlineOfSteps([{}, { parent: 0 }, { parent: 1 }, { parent: 0 }]));

function detection(id: string, severity: Severity, step: number | null, spans: number[] = []): Detection {
  return { detection_id: id, severity, step, span_ids: spans.map((span) => `span-${span}`) } as Detection;
}

function detectionsOf(...detections: Detection[]) {
  return stepDetections(columns, stepsBySpan(columns), detections);
}

describe('stepDetections', () => {
  it('a step lists the detections that it decides or whose spans include it, the worst first', () => {
    const { at } = detectionsOf(detection('mild', 'info', 2), detection('bad', 'critical', 3, [2, 3]));
    expect(at(2).map(({ detection_id }) => detection_id)).toEqual(['bad', 'mild']);
    expect(at(0)).toEqual([]);
  });

  it('a detection has one decisive step, however many spans it involves', () => {
    const { worst, decisive } = detectionsOf(detection('bad', 'critical', 3, [1, 2, 3]), detection('mild', 'info', 3));
    expect([...worst].map(severityOf)).toEqual([null, 'critical', 'critical', 'critical']);
    expect([...decisive].map(severityOf)).toEqual([null, null, null, 'critical']);
  });

  it('a detection counts on its step and, as a detection below, on all ancestors', () => {
    const { worst, worstBelow, decisiveBelow } = detectionsOf(
      detection('mild', 'info', 1),
      detection('bad', 'warning', 2, [1, 2]),
    );
    expect([...worst].map(severityOf)).toEqual([null, 'warning', 'warning', null]);
    expect([...worstBelow].map(severityOf)).toEqual(['warning', 'warning', null, null]);
    expect([...decisiveBelow].map(severityOf)).toEqual(['warning', 'warning', null, null]);
  });

  it('detections are ordered by step, those of the whole run last', () => {
    const { ordered } = detectionsOf(
      detection('run', 'critical', null),
      detection('late', 'info', 3),
      detection('early', 'info', 1),
    );
    expect(ordered.map(({ detection_id }) => detection_id)).toEqual(['early', 'late', 'run']);
  });

  it('a detection with unknown spans and steps marks no step', () => {
    expect([...detectionsOf(detection('other', 'critical', 99, [77])).worst]).toEqual([0, 0, 0, 0]);
  });
});
