import { createServer, type ServerResponse } from 'node:http';
import { listenLocally } from './local-server.ts';

export const STRIPE_KEY = 'sk_test_ofthetests';

/** A request of the library with its decoded form. */
export interface StripeRequest {
  path: string;
  form: Record<string, string>;
  headers: Record<string, string | string[] | undefined>;
}

export interface StripeServer {
  address: { host: string; port: number; protocol: 'http' };
  requests: StripeRequest[];
  /** Outcomes of the next requests, in order: a status with an error, or a connection that ends without a response. */
  next: ({ status: number; message: string } | 'cut')[];
  close(): Promise<void>;
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  '/v1/checkout/sessions': ['mode', 'line_items[0][price]', 'line_items[0][quantity]', 'success_url'],
  '/v1/billing_portal/sessions': ['customer'],
};

/** Responds to the two calls of billing in the format of the API. */
export async function startStripeServer(expiresAt: () => number): Promise<StripeServer> {
  const requests: StripeRequest[] = [];
  const next: StripeServer['next'] = [];
  const answer = (response: ServerResponse, status: number, body: object) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', 'stripe-should-retry': 'false' })
      .end(JSON.stringify(body));
  const error = (message: string) => ({ error: { type: 'invalid_request_error', message } });

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const path = request.url ?? '';
    requests.push({ path, form, headers: request.headers });
    const how = next.shift();
    if (how === 'cut') return request.socket.destroy();
    if (how !== undefined) return answer(response, how.status, error(how.message));
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return answer(response, 401, error('Invalid API Key provided: sk_test_of*****'));
    const needed = KNOWN[path];
    if (request.method !== 'POST' || needed === undefined) return answer(response, 404, error('Unrecognized URL'));
    const lacking = needed.find((name) => form[name] === undefined);
    if (lacking !== undefined) return answer(response, 400, error(`Missing required param: ${lacking}.`));
    if (path === '/v1/billing_portal/sessions')
      return answer(response, 200, {
        id: 'bps_1',
        object: 'billing_portal.session',
        customer: form.customer,
        return_url: form.return_url,
        url: 'https://billing.stripe.com/p/session/test_1',
      });
    return answer(response, 200, {
      id: 'cs_test_1',
      object: 'checkout.session',
      mode: form.mode,
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: form.client_reference_id,
      expires_at: expiresAt(),
      url: 'https://checkout.stripe.com/c/pay/cs_test_1',
    });
  });
  const { port, close } = await listenLocally(server);
  return {
    address: { host: '127.0.0.1', port, protocol: 'http' },
    requests,
    next,
    close,
  };
}
