import type { Json } from '../../core/json.ts';

export interface CurlRequest {
  /** Upper case. */
  method: string;
  path: string;
  access: 'anyone' | 'tenant' | 'operator';
  /** Undefined if there is no body. */
  body?: Json;
  /** Media type of the body. */
  bodyType?: string;
}

/** The operation as a shell command over several lines. Ids and credentials are shell variables. */
export function curlCommand({ method, path, access, body, bodyType }: CurlRequest): string {
  const address = `"$MISSTEP_URL${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => variableOf(name))}"`;
  const verb = method === 'GET' || (method === 'POST' && bodyType !== undefined) ? '' : `-X ${method} `;
  return [`curl ${verb}${address}`, ...credentialArgument(access), ...bodyArgument(body, bodyType)].join(' \\\n  ');
}

function variableOf(name: string): string {
  return name === 'tenant_id' ? '$MISSTEP_TENANT_ID' : `$${name.toUpperCase()}`;
}

function credentialArgument(access: CurlRequest['access']): string[] {
  if (access === 'tenant') return ['-H "X-SVC-API-Key: $MISSTEP_API_KEY"'];
  return access === 'operator' ? ['-H "Authorization: Bearer $MISSTEP_OPERATOR_TOKEN"'] : [];
}

function bodyArgument(body: Json | undefined, bodyType: string | undefined): string[] {
  if (bodyType === undefined) return [];
  if (bodyType.startsWith('multipart/')) return ['-F file=@FILE'];
  const type = `-H 'Content-Type: ${bodyType}'`;
  if (body === undefined) return [type, '--data-binary @FILE'];
  return [type, `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`];
}
