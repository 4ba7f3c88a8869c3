/** The path of a route, with `:name` for a parameter, and the names of its query parameters. */
interface RouteDefinition {
  path: string;
  query: readonly string[];
}

const ISSUES_QUERY = [
  'status',
  'type',
  'subtype',
  'agent',
  'severity',
  'service',
  'workflow',
  'regressed',
  'sort',
  'q',
  'cursor',
] as const;

/** All routes, below the base path. */
export const ROUTES = {
  home: { path: '/', query: [] },
  app: { path: '/ui', query: [] },
  signIn: { path: '/ui/sign-in', query: ['next'] },
  start: { path: '/ui/start', query: ['for'] },
  issues: { path: '/ui/issues', query: ISSUES_QUERY },
  issue: { path: '/ui/issues/:id', query: ISSUES_QUERY },
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
      'cost',
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
  workflows: { path: '/ui/workflows', query: ['q', 'cursor'] },
  detectors: { path: '/ui/detectors', query: ['detector'] },
  check: { path: '/ui/check', query: ['what'] },
  healing: { path: '/ui/healing', query: ['status', 'cursor'] },
  newPlan: { path: '/ui/healing/new', query: ['detection', 'fix'] },
  plan: { path: '/ui/healing/:op', query: [] },
  alerts: { path: '/ui/alerts', query: ['state', 'cursor'] },
  imports: { path: '/ui/imports', query: ['job'] },
  settingsHome: { path: '/ui/settings', query: [] },
  settings: { path: '/ui/settings/:what', query: [] },
} as const satisfies Record<string, RouteDefinition>;

export type RouteName = keyof typeof ROUTES;

type ParamNamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<Name extends RouteName> = Record<ParamNamesIn<(typeof ROUTES)[Name]['path']>, string>;
export type QueryOf<Name extends RouteName> = Partial<Record<(typeof ROUTES)[Name]['query'][number], string>>;

/** A route with its parameters and its query parameters. Unknown query parameters are dropped. */
export interface RouteMatch {
  name: RouteName;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
}

/** The arguments of a link: path parameters if the route has any, then the query. */
export type LinkArguments<Name extends RouteName> = keyof ParamsOf<Name> extends never
  ? [query?: QueryOf<Name>]
  : [params: ParamsOf<Name>, query?: QueryOf<Name>];

/** The path and query of a route, below the base path. Empty query parameters are omitted. */
export function pathTo<Name extends RouteName>(name: Name, ...args: LinkArguments<Name>): string {
  const route: RouteDefinition = ROUTES[name];
  const hasParams = route.path.includes(':');
  const params = (hasParams ? args[0] : {}) as Record<string, string>;
  const query = (hasParams ? args[1] : args[0]) as Record<string, string | undefined> | undefined;
  const path = route.path.replace(/:(\w+)/g, (_whole, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams();
  for (const key of route.query) {
    const value = query?.[key];
    if (value !== undefined && value !== '') search.set(key, value);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The route that matches a path; null if none does. */
export function matchRoute(path: string, search: string): RouteMatch | null {
  const parts = partsOf(path);
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, RouteDefinition][]) {
    const params = matchParams(partsOf(route.path), parts);
    if (params !== null) return { name, params, query: readQuery(route, search) };
  }
  return null;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function matchParams(pattern: string[], parts: string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] as string;
    if (!expected.startsWith(':')) {
      if (expected !== part) return null;
      continue;
    }
    const value = decodeOrNull(part);
    if (value === null) return null;
    params[expected.slice(1)] = value;
  }
  return params;
}

function decodeOrNull(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function readQuery({ query }: RouteDefinition, search: string): Record<string, string> {
  const searchParams = new URLSearchParams(search);
  return Object.fromEntries(
    query.flatMap((key) => (searchParams.get(key) ? [[key, searchParams.get(key) as string]] : [])),
  );
}
