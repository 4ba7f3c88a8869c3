/** `12,345` in any locale. */
export function count(amount: number): string {
  return Math.round(amount).toLocaleString('en-US');
}

/** `1 step`, `2 steps`. */
export function counted(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `$0.0123`: four decimals below a dollar, two above. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount >= 1 ? 2 : 4)}`;
}

/** `850 ms`, `4.2 s`, `3 min 05 s`, `2 h 14 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `512 B`, `4.0 MiB`. */
export function byteText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1024 && unit < BYTE_UNITS.length - 1; unit += 1) amount /= 1024;
  return `${unit === 0 ? amount : amount.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** `87 %`. Only a whole is 100 %. */
export function percent(share: number): string {
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : Math.round(share * 100)} %`;
}

/** Wasted tokens and dollars, if known: zero can also mean unknown. Empty if neither is known. */
export function wasteText({
  wasted_tokens: tokens,
  wasted_cost_usd: cost,
}: {
  wasted_tokens: number;
  wasted_cost_usd: number;
}): string {
  return [...(tokens > 0 ? [`${count(tokens)} tokens`] : []), ...(cost > 0 ? [dollars(cost)] : [])].join(', ');
}
