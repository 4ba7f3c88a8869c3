import { Link } from '../address/link.tsx';
import { addressOf, goTo, place } from '../address/router.ts';
import { useOverview } from '../data/overview.ts';
import { may, session } from '../data/session.ts';
import { Icon } from '../parts/icon.tsx';
import { NAVIGATION, VIEWS } from '../views/views.ts';
import style from './navigation.module.css';
import { type EntryCount, navigationCounts } from './navigation-counts.ts';
import { useShortcuts } from './shortcuts.ts';

/** Entries whose view the session's scopes allow. */
export function shownEntries() {
  return session.value ? NAVIGATION.filter(({ route }) => may(VIEWS[route].scope)) : [];
}

export function Navigation() {
  const entries = shownEntries();
  useShortcuts(
    entries.map(({ route, label, keys }) => ({ keys, label: `Go to ${label}`, run: () => goTo(addressOf(route)) })),
  );
  const here = place.value?.name;
  const counts = navigationCounts(useOverview());
  return (
    <nav aria-label="Main" class={style.navigation}>
      <ul>
        {entries.map(({ route, label, icon }) => (
          <li key={route}>
            <Link
              to={addressOf(route)}
              class={style.entry}
              {...(isWithin(here, route) ? { 'aria-current': 'page' as const } : {})}
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

/** A single issue belongs to the entry of the issues. */
function isWithin(here: string | undefined, route: string): boolean {
  return here === route || (here !== undefined && (DETAILS_OF[route] ?? []).includes(here));
}

const DETAILS_OF: Readonly<Record<string, readonly string[]>> = {
  issues: ['issue'],
  traces: ['trace'],
  analyticsHome: ['analytics'],
  healing: ['plan', 'newPlan'],
  settingsHome: ['settings'],
};
