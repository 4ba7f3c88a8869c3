import { computed, signal } from '@preact/signals';
import { type LinkArguments, type Place, pathTo, placeOf, type RouteName } from './routes.ts';

/** The path before `/ui`, without a slash at its end: the page's files are in `<base>/ui/assets/`. */
export const BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

const address = signal(location.pathname + location.search);
addEventListener('popstate', () => {
  address.value = location.pathname + location.search;
});

/** Where the page is; null for an unknown address. */
export const place = computed<Place | null>(() => {
  const { pathname, search } = new URL(address.value, location.origin);
  return pathname.startsWith(BASE) ? placeOf(pathname.slice(BASE.length), search) : null;
});

/** An address of this server, for links and for what a person copies. */
export function addressOf<Name extends RouteName>(name: Name, ...given: LinkArguments<Name>): string {
  return BASE + pathTo(name, ...given);
}

/** Navigates to an address of this page. `replace` adds no history entry: for filters that change with each key press. */
export function goTo(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = to;
}

/** Whether an address is one of this page's own: a path, no other host. */
export function isOwnAddress(to: string): boolean {
  if (!/^\/(?![/\\])/.test(to)) return false;
  const url = new URL(to, location.origin);
  return url.origin === location.origin && url.pathname.startsWith(`${BASE}/ui`);
}
