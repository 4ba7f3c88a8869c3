import { Temporal } from 'temporal-polyfill';
import type { QuietHours } from './preferences.ts';

/**
 * When the quiet window that contains `now` ends; null outside. Unix milliseconds.
 *
 * A window runs from one local time to the next, so clock changes make it longer or shorter. As in RFC 5545,
 * an ambiguous time means its first occurrence, and a skipped time uses the offset before the gap.
 */
export function quietHoursEnd(hours: QuietHours, now: number): number | null {
  if (!hours.enabled || hours.start === hours.end) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(hours.timezone).toPlainDate();
  // A window over midnight may have begun yesterday.
  for (const day of [today.subtract({ days: 1 }), today]) {
    const [start, end] = windowOf(hours, day);
    if (start <= now && now < end) return end;
  }
  return null;
}

function windowOf({ start, end, timezone }: QuietHours, day: Temporal.PlainDate): [start: number, end: number] {
  const at = (date: Temporal.PlainDate, time: string) =>
    date.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
  return [at(day, start), at(end > start ? day : day.add({ days: 1 }), end)];
}
