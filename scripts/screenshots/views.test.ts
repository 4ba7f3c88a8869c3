import { describe, expect, it } from 'vitest';
import { matchRoute, ROUTES, type RouteName } from '../../src/web/address/routes.ts';
import type { ShownIds } from './filled-tenant.ts';
import { type State, UNKNOWN_ADDRESS, VIEWS } from './views.ts';

const IDS = new Proxy({} as ShownIds, { get: (_ids, name) => `id-of-${String(name)}` });
const routeNames = Object.keys(ROUTES) as RouteName[];
const statesOf = (route: RouteName) =>
  new Set(VIEWS.filter((view) => view.route === route).flatMap((view) => view.states));

/** Routes without a state, with the reason. */
const WITHOUT: Readonly<Record<Exclude<State, 'full'>, Partial<Record<RouteName, string>>>> = {
  empty: {
    signIn: 'the same for every tenant',
    app: 'redirects like home',
    issue: 'shows one object',
    trace: 'shows one object',
    analyticsHome: 'shows the first page of analytics',
    check: 'stores nothing',
    newPlan: 'shows one object',
    plan: 'shows one object',
    settingsHome: 'shows the first page of settings',
  },
  failing: {
    signIn: 'has a picture of a refused key',
    app: 'redirects like home',
    analyticsHome: 'shows the first page of analytics',
    settingsHome: 'shows the first page of settings',
  },
};

describe('the pictures of the page', () => {
  it.each(routeNames)('the route %s has a picture with data', (route) => {
    expect(statesOf(route)).toContain('full');
  });

  it.each(routeNames.flatMap((route) => (['empty', 'failing'] as const).map((state) => [route, state] as const)))(
    'the route %s has a picture that is %s, or a reason why not',
    (route, state) => {
      expect(statesOf(route).has(state)).toBe(WITHOUT[state][route] === undefined);
    },
  );

  it.each(VIEWS.map((view) => [view.name, view] as const))('the address of %s matches its route', (_name, view) => {
    const { pathname, search } = new URL(view.path(IDS), 'http://page.example');
    expect(matchRoute(pathname, search)?.name).toBe(view.route);
  });

  it('have different names, and the address of the last one is unknown', () => {
    const names = VIEWS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(matchRoute(UNKNOWN_ADDRESS, '')).toBeNull();
  });
});
