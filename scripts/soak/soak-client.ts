import type { Credentials } from '../../test/support/served.ts';
import { isRetryAfter } from './judge-soak.ts';

export interface SoakReply {
  status: number;
  retryAfterS: number;
  text: string;
}

export interface SoakRequest {
  what: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends requests and counts the responses by status. */
export class SoakClient {
  readonly answers = new Map<string, number>();
  readonly faults = { busyWithoutRetryAfter: 0, broken: 0 };
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Status 0 if the connection broke. */
  async send(tenant: Credentials, { what, path, method = 'GET', headers = {}, body }: SoakRequest): Promise<SoakReply> {
    try {
      const response = await fetch(`${this.#url}${path.replace('{tenant}', tenant.tenantId)}`, {
        method,
        headers: { 'x-svc-api-key': tenant.apiKey, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      });
      const text = await response.text();
      const retryAfter = response.headers.get('retry-after');
      if (response.status === 503 && !isRetryAfter(retryAfter)) this.faults.busyWithoutRetryAfter += 1;
      this.#count(`${what} ${response.status}`);
      return { status: response.status, retryAfterS: Number(retryAfter ?? 0), text };
    } catch {
      this.faults.broken += 1;
      return { status: 0, retryAfterS: 0, text: '' };
    }
  }

  /** Reads an event stream for a while. */
  async listen(tenant: Credentials, path: string, forMs: number): Promise<void> {
    const signal = AbortSignal.timeout(forMs);
    try {
      const response = await fetch(`${this.#url}${path}`, { headers: { 'x-svc-api-key': tenant.apiKey }, signal });
      this.#count(`stream ${response.status}`);
      for await (const _chunk of response.body ?? []);
    } catch {
      if (!signal.aborted) this.faults.broken += 1;
    }
  }

  #count(key: string): void {
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
  }
}
