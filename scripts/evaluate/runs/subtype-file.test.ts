import { expect, it } from 'vitest';
import { type SubtypeRecord, subtypeRecord } from '../../../src/detectors/subtype-records.ts';
import { recordIn } from './subtype-file.ts';

it('what is counted against attacks is not replaced by how runs without attacks ended', () => {
  const counted = { ...subtypeRecord('injection', 'indirect')!, shortfall: 'of runs' } satisfies SubtypeRecord;
  const record = recordIn({ 'injection/indirect': counted, 'loop/cyclic': counted });
  expect(record('injection', 'indirect')).toMatchObject({ against: 'attacks', shortfall: null });
  expect(record('loop', 'cyclic')).toBe(counted);
  expect(record('loop', 'stalled')).toBeNull();
});
