import { expect, it } from 'vitest';
import { type SubtypeRecord, subtypeRecord } from '../../../src/detectors/subtype-records.ts';
import { recordIn } from './subtype-file.ts';

it('figures against attacks are not replaced by outcomes of runs without attacks', () => {
  const counted = { ...subtypeRecord('injection', 'indirect')!, shortfall: 'of runs' } satisfies SubtypeRecord;
  const record = recordIn({ 'injection/indirect': counted, 'loop/cyclic': counted });
  expect(record('injection', 'indirect')).toMatchObject({ against: 'attacks', shortfall: null });
  expect(record('loop', 'cyclic')).toBe(counted);
  expect(record('loop', 'stalled')).toBeNull();
});
