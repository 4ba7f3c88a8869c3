/** One address of the page: `:name` marks a parameter; `query` lists the names it reads. */
interface RouteShape {
  path: string;
  query: readonly string[];
}

/** Every address of the page, below the base path. */
export const ROUTES = {
  home: { path: '/', query: [] },
  app: { path: '/ui', query: [] },
  signIn: { path: '/ui/sign-in', query: ['next'] },
  start: { path: '/ui/start', query: ['for'] },
  issues: { path: '/ui/issues', query: ['status', 'type', 'agent', 'severity', 'regressed', 'sort', 'q', 'cursor'] },
  issue: { path: '/ui/issues/:id', query: ['status', 'type', 'agent', 'severity', 'regressed', 'sort', 'q', 'cursor'] },
  traces: {
    path: '/ui/traces',
    query: [
      'q',
      'status',
      'framework',
      'agent',
      'model',
      'severity',
      'grade',
      'workflow',
      'from',
      'to',
      'sort',
      'cursor',
    ],
  },
  trace: { path: '/ui/traces/:id', query: ['span', 'view', 'tab', 'finding', 't', 'find', 'only'] },
  agents: { path: '/ui/agents', query: ['agent', 'days'] },
  analyticsHome: { path: '/ui/analytics', query: ['days'] },
  analytics: { path: '/ui/analytics/:what', query: ['days'] },
  conversations: { path: '/ui/conversations', query: ['cursor'] },
  workflows: { path: '/ui/workflows', query: ['cursor'] },
  detectors: { path: '/ui/detectors', query: ['detector'] },
  check: { path: '/ui/check', query: ['what'] },
  healing: { path: '/ui/healing', query: ['status', 'cursor'] },
  newPlan: { path: '/ui/healing/new', query: ['detection', 'fix'] },
  plan: { path: '/ui/healing/:op', query: [] },
  alerts: { path: '/ui/alerts', query: ['state', 'cursor'] },
  imports: { path: '/ui/imports', query: ['job'] },
  settingsHome: { path: '/ui/settings', query: [] },
  settings: { path: '/ui/settings/:what', query: [] },
} as const satisfies Record<string, RouteShape>;

export type RouteName = keyof typeof ROUTES;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<Name extends RouteName> = Record<NamesIn<(typeof ROUTES)[Name]['path']>, string>;
export type QueryOf<Name extends RouteName> = Partial<Record<(typeof ROUTES)[Name]['query'][number], string>>;

/** Where the page is: one route with its parameters and the parts of the query it knows. */
export interface Place {
  name: RouteName;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
}

/** What a link needs: parameters where the route has some. */
export type LinkArguments<Name extends RouteName> = keyof ParamsOf<Name> extends never
  ? [query?: QueryOf<Name>]
  : [params: ParamsOf<Name>, query?: QueryOf<Name>];

/** The address of a route below the base path. Empty parts of the query are left out. */
export function pathTo<Name extends RouteName>(name: Name, ...given: LinkArguments<Name>): string {
  const shape: RouteShape = ROUTES[name];
  const hasParams = shape.path.includes(':');
  const params = (hasParams ? given[0] : {}) as Record<string, string>;
  const query = (hasParams ? given[1] : given[0]) as Record<string, string | undefined> | undefined;
  const path = shape.path.replace(/:(\w+)/g, (_whole, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams();
  for (const key of shape.query) {
    const value = query?.[key];
    if (value !== undefined && value !== '') search.set(key, value);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The place of an address; null for an address that no route has. */
export function placeOf(path: string, search: string): Place | null {
  const parts = partsOf(path);
  for (const [name, shape] of Object.entries(ROUTES) as [RouteName, RouteShape][]) {
    const params = paramsIn(partsOf(shape.path), parts);
    if (params !== null) return { name, params, query: queryIn(shape, search) };
  }
  return null;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function paramsIn(pattern: string[], parts: string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const part = parts[at] as string;
    if (!expected.startsWith(':')) {
      if (expected !== part) return null;
      continue;
    }
    const value = decoded(part);
    if (value === null) return null;
    params[expected.slice(1)] = value;
  }
  return params;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function queryIn({ query }: RouteShape, search: string): Record<string, string> {
  const given = new URLSearchParams(search);
  return Object.fromEntries(query.flatMap((key) => (given.get(key) ? [[key, given.get(key) as string]] : [])));
}
