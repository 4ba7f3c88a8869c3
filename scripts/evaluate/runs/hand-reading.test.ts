import { expect, it } from 'vitest';
import { lastHandReading } from './hand-reading.ts';

it('reads the row on failing runs of the last draw', () => {
  const rows = ['# Detections', '| failing runs (1–40) | right 1 | 6 of 40 |', '## Second draw'];
  expect(lastHandReading(rows.join('\n'))).toEqual({ right: 6, read: 40, draw: 'First draw' });
  const more = [
    ...rows,
    '| failing runs (1–40) | right 9 | 14 of 40 |',
    '| recorded bodies (41–80) | right 9 | 33 of 40 |',
  ];
  expect(lastHandReading(more.join('\n'))).toEqual({ right: 14, read: 40, draw: 'Second draw' });
  expect(lastHandReading('# Detections')).toBeNull();
});

it('the report has a draw of 40 detections', () => {
  expect(lastHandReading()!.read).toBe(40);
});
