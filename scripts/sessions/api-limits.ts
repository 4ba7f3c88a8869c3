/** A message that says that the plan's or the model's quota is used up, rather than that a request failed. */
export function isLimitMessage(text: string): boolean {
  return /\b(usage|weekly|5-hour|session|spending|rate) limit|limit reached|hit your .{0,30}limit|quota|credit balance/i.test(
    text,
  );
}
