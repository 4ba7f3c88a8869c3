/** What every generated client holds beside its types; TypeScript, kept as text so that a server can hand it out. */
export const CLIENT_RUNTIME = `export interface ClientOptions {
  /** Address of the server, with or without \`/api/v1\`: \`http://127.0.0.1:4319\`. */
  baseUrl: string;
  /** Sent as \`X-SVC-API-Key\`. */
  apiKey?: string;
  /** An access token, an API key or the operator's credential; sent as \`Authorization: Bearer\`. */
  bearer?: string;
  /** Instead of the global one, as for a proxy or a test. */
  fetch?: typeof globalThis.fetch;
}

/** How one call is made. */
export interface CallOptions {
  signal?: AbortSignal;
  /** On a POST: within 24 hours the same key and body give the first answer again. */
  idempotencyKey?: string;
  /** Media type of a body that is sent as it is. */
  contentType?: string;
  headers?: Record<string, string>;
}

/** A body that is sent as it is. */
export type RawBody = string | Uint8Array | Blob | FormData;

/** The server refused or failed. Where nobody answered at all, \`fetch\` throws what it throws. */
export class MisstepError extends Error {
  override readonly name = 'MisstepError';
  readonly status: number;
  /** Null where something between client and server answered. */
  readonly problem: Problem | null;
  /** Seconds after which trying again may help, where the server said so. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, problem: Problem | null, retryAfterSeconds: number | null) {
    super(problem ? \`\${problem.title}: \${problem.detail}\` : \`the server answered \${status}\`);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get code(): Problem['code'] | null {
    return this.problem?.code ?? null;
  }
}

/** Every item of a paged list, page after page: \`for await (const trace of eachItem(client.traces.list, { tenant_id }))\`. */
export async function* eachItem<Input extends { cursor?: string }, Item>(
  list: (input: Input, how?: CallOptions) => Promise<{ items: Item[]; next_cursor: string | null }>,
  input: Input,
  how?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  let asked = input;
  while (true) {
    const { items, next_cursor } = await list(asked, how);
    yield* items;
    if (next_cursor === null) return;
    asked = { ...asked, cursor: next_cursor };
  }
}

interface Route {
  method: string;
  path: string;
  query?: string[];
  /** Media type of a body that is no JSON. */
  rawType?: string;
}

type Call = (route: Route, input?: object, how?: CallOptions) => Promise<unknown>;

function createCall({ baseUrl, apiKey, bearer, fetch = globalThis.fetch }: ClientOptions): Call {
  const base = baseUrl.replace(/\\/+$/, '').replace(/\\/api\\/v1$/, '');
  const credentials = {
    ...(apiKey === undefined ? {} : { 'X-SVC-API-Key': apiKey }),
    ...(bearer === undefined ? {} : { Authorization: \`Bearer \${bearer}\` }),
  };
  return async (route, input = {}, how = {}) => {
    const given = input as Record<string, unknown>;
    const [contentType, body] = bodyOf(route, given.body, how);
    const headers: Record<string, string> = {
      Accept: 'application/json, */*;q=0.5',
      ...credentials,
      ...(contentType === null ? {} : { 'Content-Type': contentType }),
      ...(how.idempotencyKey === undefined ? {} : { 'Idempotency-Key': how.idempotencyKey }),
      ...how.headers,
    };
    // A redirect would take the credential to another host.
    const init = {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: how.signal ?? null,
      redirect: 'error',
    };
    const response = await fetch(base + pathOf(route, given) + queryOf(route, given), init as RequestInit);
    if (!response.ok) throw await errorOf(response);
    return answerOf(response);
  };
}

function pathOf({ path }: Route, input: Record<string, unknown>): string {
  return path.replace(/\\{(\\w+)\\}/g, (_whole, name: string) => {
    const value = String(input[name] ?? '');
    // An address would lose such a part, and lead elsewhere.
    if (value === '' || value === '.' || value === '..') throw new TypeError(\`\${name} cannot be "\${value}"\`);
    return encodeURIComponent(value);
  });
}

function queryOf({ query = [] }: Route, input: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const name of query) if (input[name] !== undefined) search.append(name, String(input[name]));
  const text = search.toString();
  return text === '' ? '' : \`?\${text}\`;
}

function bodyOf({ rawType }: Route, body: unknown, { contentType }: CallOptions): [string | null, unknown] {
  if (body === undefined) return [null, undefined];
  if (rawType === undefined) return [contentType ?? 'application/json', JSON.stringify(body)];
  // With its own boundary, which only fetch knows.
  if (body instanceof FormData) return [null, body];
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob;
  return isRaw ? [contentType ?? rawType, body] : [contentType ?? 'application/json', JSON.stringify(body)];
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = mediaTypeOf(response);
  if (type === 'application/json') return response.json();
  return type.startsWith('text/') && type !== 'text/event-stream' ? response.text() : response;
}

async function errorOf(response: Response): Promise<MisstepError> {
  const isProblem = mediaTypeOf(response) === 'application/problem+json';
  const problem = isProblem ? ((await response.json()) as Problem) : null;
  if (!isProblem) await response.body?.cancel();
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return new MisstepError(response.status, problem, Number.isNaN(seconds) ? null : seconds);
}

function mediaTypeOf(response: Response): string {
  return (response.headers.get('Content-Type') ?? '').split(';')[0]!.trim();
}
`;
