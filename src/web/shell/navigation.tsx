import { Link } from '../address/link.tsx';
import { addressOf, currentRoute, navigate } from '../address/router.ts';
import { useOverview } from '../data/overview.ts';
import { hasScope, session } from '../data/session.ts';
import { Icon } from '../parts/icon.tsx';
import { NAVIGATION, VIEWS } from '../views/views.ts';
import style from './navigation.module.css';
import { type EntryCount, navigationCounts } from './navigation-counts.ts';
import { useShortcuts } from './shortcuts.ts';

/** Navigation entries that the scopes of the session allow. */
export function allowedEntries() {
  return session.value ? NAVIGATION.filter(({ route }) => hasScope(VIEWS[route].scope)) : [];
}

export function Navigation() {
  const entries = allowedEntries();
  useShortcuts(
    entries.map(({ route, label, keys }) => ({ keys, label: `Go to ${label}`, run: () => navigate(addressOf(route)) })),
  );
  const currentName = currentRoute.value?.name;
  const counts = navigationCounts(useOverview());
  return (
    <nav aria-label="Main" class={style.navigation}>
      <ul>
        {entries.map(({ route, label, icon }) => (
          <li key={route}>
            <Link
              to={addressOf(route)}
              class={style.entry}
              {...(isCurrentEntry(currentName, route) ? { 'aria-current': 'page' as const } : {})}
            >
              <Icon name={icon} />
              {label}
              <Count count={counts[route]} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ count }: { count: EntryCount | undefined }) {
  if (count === undefined) return null;
  return (
    <span class={style.count} title={count.label}>
      {' '}
      {count.text}
      <span class="visually-hidden"> {count.label}</span>
    </span>
  );
}

/** The page of a single issue also marks the entry of the issues. */
function isCurrentEntry(currentName: string | undefined, route: string): boolean {
  return currentName === route || (currentName !== undefined && (DETAIL_ROUTES[route] ?? []).includes(currentName));
}

const DETAIL_ROUTES: Readonly<Record<string, readonly string[]>> = {
  issues: ['issue'],
  traces: ['trace'],
  analyticsHome: ['analytics'],
  healing: ['plan', 'newPlan'],
  settingsHome: ['settings'],
};
