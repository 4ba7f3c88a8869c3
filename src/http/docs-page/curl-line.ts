import type { Json } from '../../core/json.ts';

export interface Asked {
  /** In capitals. */
  method: string;
  path: string;
  access: 'anyone' | 'tenant' | 'operator';
  /** Undefined where nothing is sent. */
  body?: Json;
  /** Media type of what is sent. */
  bodyType?: string;
}

/** The operation as a line for a shell, over several lines. Ids and credentials are variables of the shell. */
export function curlLine({ method, path, access, body, bodyType }: Asked): string {
  const address = `"$MISSTEP_URL${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => variableOf(name))}"`;
  const verb = method === 'GET' || (method === 'POST' && bodyType !== undefined) ? '' : `-X ${method} `;
  return [`curl ${verb}${address}`, ...credential(access), ...sent(body, bodyType)].join(' \\\n  ');
}

function variableOf(name: string): string {
  return name === 'tenant_id' ? '$MISSTEP_TENANT_ID' : `$${name.toUpperCase()}`;
}

function credential(access: Asked['access']): string[] {
  if (access === 'tenant') return ['-H "X-SVC-API-Key: $MISSTEP_API_KEY"'];
  return access === 'operator' ? ['-H "Authorization: Bearer $MISSTEP_OPERATOR_TOKEN"'] : [];
}

function sent(body: Json | undefined, bodyType: string | undefined): string[] {
  if (bodyType === undefined) return [];
  if (bodyType.startsWith('multipart/')) return ['-F file=@FILE'];
  const type = `-H 'Content-Type: ${bodyType}'`;
  if (body === undefined) return [type, '--data-binary @FILE'];
  return [type, `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`];
}
