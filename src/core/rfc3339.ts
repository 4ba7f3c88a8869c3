const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:\d{2}))?$/;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Unix milliseconds of an RFC 3339 time, of a time without seconds, or of a date, which means its UTC midnight. Null for
 * times that do not exist, such as February 30 and hour 24: `Date.parse` moves these to another day. A leap
 * second, which occurs only at the end of a UTC month, is the first moment of the next day.
 */
export function parseRfc3339(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = match;
  const offsetMs = offsetOf(zone);
  if (offsetMs === null || !isDay(Number(year), Number(month), Number(day))) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const ms = date.getTime() + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1000 - offsetMs;
  if (second === '60') return isMonthStart(ms) ? ms : null;
  return ms + Math.floor(Number(`0.${fraction}`) * 1000);
}

/** Unix milliseconds of any time that `Date.parse` reads, null if its date does not exist. For foreign formats. */
export function parseLooseTime(text: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  if (year !== undefined && !isDay(Number(year), Number(month), Number(day))) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= days[month - 1]!;
}

function offsetOf(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

function isMonthStart(ms: number): boolean {
  return ms % (24 * HOUR_MS) === 0 && new Date(ms).getUTCDate() === 1;
}
