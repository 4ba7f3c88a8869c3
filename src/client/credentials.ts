import type { Access } from '../features/_kit/operation.ts';
import type { OperatorCredential } from './folder-credential.ts';

/** The address of a request, and the headers that authenticate it. */
export interface RequestTarget {
  server: string;
  headers: Record<string, string>;
}

export interface CredentialOptions {
  server: string;
  apiKey: string | null;
  /** Called only for operations outside the API key's scope; null if there is no operator credential for this server. */
  operator: (() => Promise<OperatorCredential | null>) | null;
  /** The tenant of the API key. */
  tenantOfKey(): Promise<string>;
}

/** Uses the key for its own tenant, and the operator's credential for everything else that requires one. */
export class Credentials {
  readonly #options: CredentialOptions;
  #operator: Promise<OperatorCredential | null> | null = null;

  constructor(options: CredentialOptions) {
    this.#options = options;
  }

  async for(access: Access, tenantId: unknown): Promise<RequestTarget> {
    const { server, apiKey } = this.#options;
    const withKey: RequestTarget = { server, headers: apiKey === null ? {} : { 'x-svc-api-key': apiKey } };
    if (access.kind === 'public') return { server, headers: {} };
    if (await this.#isForKey(access, tenantId)) return withKey;
    const operator = await this.#operatorCredential();
    if (operator !== null) return { server: operator.server, headers: { authorization: `Bearer ${operator.token}` } };
    return access.kind === 'registration' ? { server, headers: {} } : withKey;
  }

  async #isForKey({ kind }: Access, tenantId: unknown): Promise<boolean> {
    const { apiKey, operator, tenantOfKey } = this.#options;
    if (kind !== 'tenant' || apiKey === null) return false;
    return operator === null || tenantId === undefined || (await tenantOfKey()) === tenantId;
  }

  #operatorCredential(): Promise<OperatorCredential | null> {
    this.#operator ??= this.#options.operator?.() ?? Promise.resolve(null);
    return this.#operator;
  }
}
