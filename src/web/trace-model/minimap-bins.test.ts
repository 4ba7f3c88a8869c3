import { describe, expect, it, test } from 'vitest';
import { outlineOfSteps, type TestStep } from '../../../test/support/outline-of-steps.ts';
import { toColumns } from './columns.ts';
import { minimapBins } from './minimap-bins.ts';
import { shownEnds } from './shown-ends.ts';
import { timeScale } from './time-scale.ts';

function bins(steps: TestStep[], width: number, worst: number[] = [], shown: Uint8Array | null = null) {
  const columns = toColumns(outlineOfSteps(steps));
  const scale = timeScale(0, columns.lastTime, []);
  const weights = Uint8Array.from(steps, (_, step) => worst[step] ?? 0);
  return minimapBins({ columns, shownEnd: shownEnds(columns, false), scale, worst: weights, shown }, width);
}

function lane({ kinds, width }: { kinds: Uint8Array; width: number }, index: number): string {
  return [...kinds.slice(index * width, (index + 1) * width)].join('');
}

describe('minimap', () => {
  it('has a lane for each depth and the kind that runs there', () => {
    const map = bins(
      [
        { kind: 'agent', start: 0, duration: 100 },
        { parent: 0, kind: 'llm', start: 50, duration: 25 },
      ],
      10,
    );
    expect([lane(map, 0), lane(map, 1), lane(map, 2)]).toEqual(['1111111111', '0000022200', '0000000000']);
  });

  it('shows the kind that most steps have', () => {
    const steps = ['llm', 'tool', 'tool'].map((kind) => ({ kind, start: 0, duration: 10 }));
    expect(lane(bins(steps, 4), 0)).toBe('2222');
  });

  it('counts errors and detections where they start, and keeps the worst', () => {
    const steps = [0, 0, 90].map((start) => ({ start, duration: 10, isError: true }));
    const map = bins(steps, 10, [2, 4, 0]);
    expect([...map.errors]).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect([map.detections[0], map.severities[0], map.severities[9]]).toEqual([2, 4, 0]);
  });

  it('omits steps that the filter hides and steps without times', () => {
    const map = bins(
      [{ start: 0, duration: 10 }, { start: 0, duration: 10, kind: 'llm' }, { start: null }],
      2,
      [],
      Uint8Array.of(0, 1, 1),
    );
    expect(lane(map, 0)).toBe('22');
  });

  test('a chain of depth 4,000 ends in the last lane', () => {
    const steps = Array.from({ length: 4_000 }, (_, step) => ({ parent: step - 1, start: step, duration: 1 }));
    expect(lane(bins([{ start: 0, duration: 1 }, ...steps.slice(1)], 8), 5)).toBe('11111111');
  });
});
