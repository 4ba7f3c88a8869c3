import type { AnyOperation } from '../features/_kit/operation.ts';

export interface OutgoingRequest {
  method: string;
  /** Relative to the server's address, with the query. */
  path: string;
  /** JSON text; undefined if the operation takes no body. */
  body: string | undefined;
}

/** Distributes an operation's merged input over path, query and body. */
export function toRequest(operation: AnyOperation, input: Record<string, unknown>): OutgoingRequest {
  const inPath = new Set(operation.path.match(/(?<=\{)[^}]+(?=\})/g) ?? []);
  const inQuery = new Set(Object.keys(operation.query?.shape ?? {}));
  const path = operation.path.replace(/\{([^}]+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (inPath.has(name) || value === undefined) continue;
    if (inQuery.has(name)) query.set(name, String(value));
    else body[name] = value;
  }
  const search = query.size > 0 ? `?${query}` : '';
  return {
    method: operation.method,
    path: `/api/v1${path}${search}`,
    body: operation.body ? JSON.stringify(body) : undefined,
  };
}
