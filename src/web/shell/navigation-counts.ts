import type { Overview } from '../../client/misstep-client.generated.ts';
import { count } from '../parts/amounts.ts';

/** A number beside an entry of the navigation, and what it counts. */
export interface EntryCount {
  text: string;
  label: string;
}

/** Counts of items that need a person's action, by route; entries without such items have none. */
export function navigationCounts(overview: Overview | undefined): Readonly<Record<string, EntryCount>> {
  if (overview === undefined) return {};
  const { issues, healing, imports, alerts, most } = overview;
  const counts: [route: string, amount: number, label: string][] = [
    ['issues', issues.open, 'open'],
    ['healing', healing.waiting, 'waiting for a person'],
    ['imports', imports.active, 'active'],
    ['alerts', alerts.failed, 'not delivered in the last day'],
  ];
  const shown = counts.filter(([, amount]) => amount > 0);
  return Object.fromEntries(shown.map(([route, amount, label]) => [route, { text: amountText(amount, most), label }]));
}

/** The amount, or `999+` where the server stopped counting. */
export function amountText(amount: number, most: number): string {
  return amount >= most ? `${count(most - 1)}+` : count(amount);
}
