/** Whether a message reports an exhausted quota of the plan or the model, and not a failed request. */
export function isLimitMessage(text: string): boolean {
  return /\b(usage|weekly|5-hour|session|spending|rate) limit|limit reached|hit your .{0,30}limit|quota|credit balance/i.test(
    text,
  );
}
