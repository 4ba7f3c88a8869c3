import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuietHours } from './preferences.ts';
import { quietHoursEnd } from './quiet-hours.ts';
import { isTimeZone } from './time-zone.ts';

const hours = (timezone: string, start = '22:00', end = '07:00'): QuietHours => ({
  enabled: true,
  start,
  end,
  timezone,
  severity_floor_during: 'critical',
});

const until = (quiet: QuietHours, moment: string) => {
  const end = quietHoursEnd(quiet, Date.parse(moment));
  return end === null ? null : new Date(end).toISOString().replace(':00.000Z', 'Z');
};

const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';
const LORD_HOWE = 'Australia/Lord_Howe';
const KATHMANDU = 'Asia/Kathmandu';

describe('a window over midnight', () => {
  it.each([
    // Berlin skips 02:00–03:00 on 29 March 2026 and repeats it on 25 October.
    [BERLIN, 'before it', '2026-03-28T20:59:59Z', null],
    [BERLIN, 'at its start', '2026-03-28T21:00:00Z', '2026-03-29T05:00Z'],
    [BERLIN, 'after the clock went forward', '2026-03-29T01:00:00Z', '2026-03-29T05:00Z'],
    [BERLIN, 'at its end', '2026-03-29T05:00:00Z', null],
    [BERLIN, 'the evening after', '2026-03-29T20:00:00Z', '2026-03-30T05:00Z'],
    [BERLIN, 'before the clock goes back', '2026-10-24T20:00:00Z', '2026-10-25T06:00Z'],
    [BERLIN, 'an hour before its end that night', '2026-10-25T05:00:00Z', '2026-10-25T06:00Z'],
    [BERLIN, 'after that night', '2026-10-25T06:00:00Z', null],
    // New York: 8 March and 1 November 2026.
    [NEW_YORK, 'at its start in winter', '2026-03-08T03:00:00Z', '2026-03-08T11:00Z'],
    [NEW_YORK, 'after the clock went forward', '2026-03-08T10:59:00Z', '2026-03-08T11:00Z'],
    [NEW_YORK, 'at its end', '2026-03-08T11:00:00Z', null],
    [NEW_YORK, 'before the clock goes back', '2026-11-01T02:00:00Z', '2026-11-01T12:00Z'],
    [NEW_YORK, 'in the afternoon', '2026-11-01T18:00:00Z', null],
    // Lord Howe moves by half an hour: +11:00 to +10:30 on 5 April 2026, back on 4 October.
    [LORD_HOWE, 'before the clock goes back', '2026-04-04T11:00:00Z', '2026-04-04T20:30Z'],
    [LORD_HOWE, 'half an hour before its end', '2026-04-04T20:00:00Z', '2026-04-04T20:30Z'],
    [LORD_HOWE, 'at its end', '2026-04-04T20:30:00Z', null],
    [LORD_HOWE, 'before the clock goes forward', '2026-10-03T11:30:00Z', '2026-10-03T20:00Z'],
    [LORD_HOWE, 'at that end', '2026-10-03T20:00:00Z', null],
    // Kathmandu is at +05:45 all year.
    [KATHMANDU, 'at its start', '2026-03-29T16:15:00Z', '2026-03-30T01:15Z'],
    [KATHMANDU, 'just before its start', '2026-03-29T16:14:59Z', null],
    [KATHMANDU, 'just before its end', '2026-03-30T01:14:59Z', '2026-03-30T01:15Z'],
  ])('in %s, %s', (zone, _name, moment, end) => {
    expect(until(hours(zone), moment)).toBe(end);
  });
});

describe('a window within a day', () => {
  it.each([
    ['before', '2026-06-01T09:59:59Z', null],
    ['inside', '2026-06-01T11:30:00Z', '2026-06-01T12:00Z'],
    ['after', '2026-06-01T12:00:00Z', null],
  ])('%s', (_name, moment, end) => {
    expect(until(hours(BERLIN, '12:00', '14:00'), moment)).toBe(end);
  });
});

describe('a window that starts or ends at a clock change', () => {
  it.each([
    [
      'an end that is left out comes as late as without the change',
      '01:00',
      '02:30',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30Z',
    ],
    ['an end that comes twice is the first', '22:00', '02:30', '2026-10-24T22:00:00Z', '2026-10-25T00:30Z'],
    ['and the second is outside', '22:00', '02:30', '2026-10-25T01:15:00Z', null],
    ['a start that is left out', '02:30', '06:00', '2026-03-29T01:15:00Z', null],
    ['and when it would have come', '02:30', '06:00', '2026-03-29T01:30:00Z', '2026-03-29T04:00Z'],
  ])('%s', (_name, start, end, moment, ends) => {
    expect(until(hours(BERLIN, start, end), moment)).toBe(ends);
  });
});

describe('quiet hours', () => {
  it('that are off are never quiet', () => {
    expect(until({ ...hours(BERLIN), enabled: false }, '2026-03-28T23:00:00Z')).toBeNull();
  });

  it('end after now, within a day and an hour, and are over at their end', () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const zone = fc.constantFrom(BERLIN, NEW_YORK, LORD_HOWE, KATHMANDU, 'Pacific/Apia', 'UTC');
    const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
    const clock = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(minute, minute, zone, moment, (start, end, timezone, now) => {
        const quiet = hours(timezone, clock(start), clock(end));
        const ends = quietHoursEnd(quiet, now);
        if (ends === null) return;
        expect(ends).toBeGreaterThan(now);
        expect(ends - now).toBeLessThanOrEqual(25 * 3_600_000);
        expect(quietHoursEnd(quiet, ends)).toBeNull();
      }),
      { seed: 7 },
    );
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Asia/Katmandu', 'America/Argentina/Ushuaia'])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });
  it.each(['', '+02:00', 'Europe/Nowhere', 'CET/DST', '../etc', 'Berlin'])('is not %s', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});
