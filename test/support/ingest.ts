import type { Credentials } from './served.ts';

/** Sends one body of OTLP/JSON that must be accepted; sends it again after 503 or 429. */
export async function ingest(url: string, { tenantId, apiKey }: Credentials, body: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/v1/tenants/${tenantId}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-api-key': apiKey },
      body,
    });
    await response.arrayBuffer();
    if (response.status === 202) return;
    if (response.status !== 503 && response.status !== 429) throw new Error(`ingest was answered ${response.status}`);
    await new Promise((next) => setTimeout(next, 200));
  }
}
