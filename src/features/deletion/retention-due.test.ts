import { expect, it } from 'vitest';
import { isRetentionDue } from './retention-due.ts';

const at = (day: number, hour: number, minute: number) => new Date(2026, 0, day, hour, minute).getTime();

it.each<[string, number | null, number, boolean]>([
  ['that never was', null, at(15, 12, 0), true],
  ['of last night', at(15, 3, 17), at(15, 12, 0), false],
  ['of last night, just before the next', at(15, 3, 17), at(16, 3, 16), false],
  ['of last night, at the next', at(15, 3, 17), at(16, 3, 17), true],
  ['of the night before, because the server was off', at(14, 3, 17), at(15, 8, 0), true],
  ['of ten days ago', at(5, 3, 18), at(15, 2, 0), true],
  ['at another time of the day', at(14, 20, 0), at(15, 3, 0), false],
  ['of a clock that was set back', at(20, 3, 17), at(15, 12, 0), true],
])('after a run %s', (_name, lastRunAt, now, isDue) => expect(isRetentionDue(lastRunAt, now)).toBe(isDue));
