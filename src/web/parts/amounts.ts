/** `12,345` whatever the browser's language. */
export function count(amount: number): string {
  return Math.round(amount).toLocaleString('en-US');
}

/** `1 step`, `2 steps`. */
export function pluralize(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `940`, `31 k`, `2.1 M`. */
export function shortCount(amount: number): string {
  if (amount < 10_000) return count(amount);
  if (amount < 999_500) return `${Math.round(amount / 1_000)} k`;
  return `${(amount / 1_000_000).toFixed(amount < 99_950_000 ? 1 : 0)} M`;
}

/** `$6.93`; `<$0.01` below one cent. */
export function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? '<$0.01' : `$${amount.toFixed(2)}`;
}

/** The word for a value that was not recorded: no tokens, or no price of the model. */
export const NOT_MEASURED = 'not measured';

/** Zero means that no tokens were recorded: no model call has none. */
export function tokensText(tokens: number): string {
  return tokens === 0 ? NOT_MEASURED : shortCount(tokens);
}

/** Whether the trace of a run has a model call. Without one there are no tokens to count, and there is nothing to price. */
export function hasModelCall(run: {
  cost_usd: number | null;
  models: readonly string[];
  total_tokens: number;
}): boolean {
  return run.cost_usd !== null || run.models.length > 0 || run.total_tokens > 0;
}

/** The word for a run without a model call. */
export const NO_MODEL_CALL = 'no model call recorded';

export function costText(cost: number | null): string {
  return cost === null ? NOT_MEASURED : dollars(cost);
}

/** Tokens and cost of a session with incompletely recorded answers are lower bounds. */
export function atLeast({ partial_usage_calls }: { partial_usage_calls: number | null }, text: string): string {
  return (partial_usage_calls ?? 0) > 0 && text !== NOT_MEASURED ? `≥ ${text}` : text;
}

/** What failures wasted. The server counts waste that was not measured as zero. */
export function wasteText({ tokens, cost }: { tokens: number; cost: number }): string {
  const parts = [...(cost > 0 ? [dollars(cost)] : []), ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : [])];
  return parts.join(', ') || NOT_MEASURED;
}

/** The same without rounding, for print and export. */
export function exactWasteText({ tokens, cost }: { tokens: number; cost: number }): string {
  const parts = [...(cost > 0 ? [exactDollars(cost)] : []), ...(tokens > 0 ? [pluralize(tokens, 'token')] : [])];
  return parts.join(', ') || NOT_MEASURED;
}

/** `$1.73214`: as many digits as were measured, at least cents. */
export function exactDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US', { useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 9 })}`;
}

/** `850 µs`, `12.4 ms`, `4.2 s`, `3 min 05 s`, `2 h 14 min`, `3 d 4 h`. */
export function duration(microseconds: number): string {
  if (microseconds < 1_000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 999_500) return `${round(microseconds / 1_000)} ms`;
  if (microseconds < 59_950_000) return `${round(microseconds / 1_000_000)} s`;
  const seconds = Math.round(microseconds / 1_000_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function round(amount: number): string {
  return amount < 100 ? String(Number(amount.toFixed(1))) : String(Math.round(amount));
}

/** `87 %`; `< 1 %` and `> 99 %` for a share that rounds to nothing or to the whole. @param digits after the point */
export function percent(share: number, digits = 0): string {
  const least = 10 ** -digits;
  if (share > 0 && share * 100 < least / 2) return `< ${least.toFixed(digits)} %`;
  if (share < 1 && (1 - share) * 100 < least / 2) return `> ${(100 - least).toFixed(digits)} %`;
  return `${(share * 100).toFixed(digits)} %`;
}
