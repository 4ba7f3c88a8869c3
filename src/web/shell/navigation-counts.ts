import type { Overview } from '../../client/misstep-client.generated.ts';
import { count } from '../parts/amounts.ts';

/** The number beside a navigation entry, and its label. */
export interface EntryCount {
  text: string;
  label: string;
}

/** Counts of items that need an action, by route; routes without such items have no count. */
export function navigationCounts(overview: Overview | undefined): Readonly<Record<string, EntryCount>> {
  if (overview === undefined) return {};
  const { issues, healing, imports, alerts, most: maxCounted } = overview;
  const counts: [route: string, amount: number, label: string][] = [
    ['issues', issues.open, 'open'],
    ['healing', healing.waiting, 'waiting for a person'],
    ['imports', imports.active, 'active'],
    ['alerts', alerts.failed, 'not delivered in the last day'],
  ];
  const nonZero = counts.filter(([, amount]) => amount > 0);
  return Object.fromEntries(
    nonZero.map(([route, amount, label]) => [route, { text: amountText(amount, maxCounted), label }]),
  );
}

/** The amount, or `999+` if the server stopped counting. */
export function amountText(amount: number, maxCounted: number): string {
  return amount >= maxCounted ? `${count(maxCounted - 1)}+` : count(amount);
}
