/** At night, when load is low, and not on the hour, when other programs start their jobs. */
const HOUR = 3;
const MINUTE = 17;

/**
 * Whether retention should run now: its last run was before the latest 03:17 local time, however long ago that was. A run
 * in the future was recorded by a clock that has been set back since.
 * @param lastRunAt Unix milliseconds; null: it never ran
 */
export function isRetentionDue(lastRunAt: number | null, now: number): boolean {
  return lastRunAt === null || lastRunAt > now || lastRunAt < latestSlot(now);
}

/** The latest 03:17 local time that is not after `now`. */
function latestSlot(now: number): number {
  const slot = new Date(now);
  slot.setHours(HOUR, MINUTE, 0, 0);
  if (slot.getTime() > now) slot.setDate(slot.getDate() - 1);
  return slot.getTime();
}
