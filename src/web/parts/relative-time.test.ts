import { expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

const NOW = Date.parse('2026-05-10T12:00:00Z');

it.each([
  ['2026-05-10T12:00:00Z', 'just now'],
  ['2026-05-10T11:59:01Z', 'just now'],
  ['2026-05-10T11:59:00Z', '1 min ago'],
  ['2026-05-10T10:59:59Z', '1 h ago'],
  ['2026-05-09T12:00:00Z', '1 d ago'],
  ['2026-04-01T00:00:00Z', '39 d ago'],
  ['2026-05-11T00:00:00Z', 'just now'],
])('%s was %s', (time, expected) => expect(relativeTime(time, NOW)).toBe(expected));
