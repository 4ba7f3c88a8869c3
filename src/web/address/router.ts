import { computed, signal } from '@preact/signals';
import { type LinkArguments, matchRoute, pathTo, type RouteMatch, type RouteName } from './routes.ts';

/** The path before `/ui`, without a trailing slash: the page's files are in `<base>/ui/assets/`. */
export const BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

const address = signal(location.pathname + location.search);
addEventListener('popstate', () => {
  address.value = location.pathname + location.search;
});

/** The route of the current address; null for an unknown address. */
export const currentRoute = computed<RouteMatch | null>(() => {
  const { pathname, search } = new URL(address.value, location.origin);
  return pathname.startsWith(BASE) ? matchRoute(pathname.slice(BASE.length), search) : null;
});

/** The path of a route below the base path of this server. */
export function addressOf<Name extends RouteName>(name: Name, ...args: LinkArguments<Name>): string {
  return BASE + pathTo(name, ...args);
}

/** Navigates within this page. `replace` adds no history entry: for filters that change with each key press. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = to;
}

/** Whether an address belongs to this page: a path on the same host. */
export function isOwnAddress(to: string): boolean {
  if (!/^\/(?![/\\])/.test(to)) return false;
  const url = new URL(to, location.origin);
  return url.origin === location.origin && url.pathname.startsWith(`${BASE}/ui`);
}
