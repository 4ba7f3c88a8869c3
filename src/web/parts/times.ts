const TO_THE_MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const TO_THE_SECOND = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Date and time of day in the browser's time zone. */
export function timeText(time: string): string {
  return inOneLine(TO_THE_MINUTE.format(Date.parse(time)));
}

/** Date and time of day with seconds. */
export function exactTimeText(time: string): string {
  return inOneLine(TO_THE_SECOND.format(Date.parse(time)));
}

/** Keeps `9:08 AM` in one line. */
function inOneLine(text: string): string {
  return text.replace(/(?<=:\d\d)\s/, '\u00a0');
}

/** Date and time of day with the time zone, for a time that has no column title with the zone. */
export function zonedTimeText(time: string): string {
  return `${timeText(time)} ${ZONE}`;
}

const TIME_OF_DAY = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Date and time of day as separate texts, for a narrow column. */
export function timeParts(time: string): [date: string, timeOfDay: string] {
  const at = Date.parse(time);
  return [DATE.format(at), TIME_OF_DAY.format(at)];
}

/** Date in the browser's time zone. */
export function dateText(time: string): string {
  return DATE.format(Date.parse(time));
}

/** A UTC day. */
export function dayText(time: string): string {
  return DAY.format(Date.parse(time));
}

const OFFSET =
  new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';

/** The browser's time zone, such as `GMT+1` or `UTC`. Column titles show it once for all times. */
export const ZONE = OFFSET === 'GMT' || OFFSET === 'GMT+0' ? 'UTC' : OFFSET;
