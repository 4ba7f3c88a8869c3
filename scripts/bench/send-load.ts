import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createTraffic } from './sample-traffic.ts';

/** Own process: sends prepared bodies over keep-alive connections and prints what was acknowledged, as JSON. */
interface LoadOrder {
  url: string;
  tenantId: string;
  apiKey: string;
  connections: number;
  seconds: number;
  seed: number;
  spansPerBody: number;
}

const order = JSON.parse(readFileSync(0, 'utf8')) as LoadOrder;
const ingestUrl = new URL(`${order.url}/api/v1/tenants/${order.tenantId}/traces/ingest`);
const agent = new Agent({ keepAlive: true, maxSockets: order.connections });

// More bodies than can be sent: each is sent once, because repeated bodies are faster.
const PREPARED = 3_000;
const traffic = createTraffic({
  bodies: Math.min(PREPARED, order.seconds * 500),
  spansPerBody: order.spansPerBody,
  seed: order.seed,
  startMs: Date.now(),
});
const bodies = traffic.bodies.map((body) => Buffer.from(body));

let next = 0;
let spans = 0;
const refusals: Record<string, number> = {};
const started = performance.now();
const ends = started + order.seconds * 1000;
await Promise.all(Array.from({ length: order.connections }, sendUntilEnd));
const tookMs = performance.now() - started;
console.log(JSON.stringify({ spans, refusals, tookMs, isExhausted: next >= bodies.length }));
agent.destroy();

async function sendUntilEnd(): Promise<void> {
  while (performance.now() < ends && next < bodies.length) {
    const body = bodies[next++] as Buffer;
    const status = await post(body);
    if (status === 202) spans += order.spansPerBody;
    else refusals[status] = (refusals[status] ?? 0) + 1;
  }
}

function post(body: Buffer): Promise<number> {
  return new Promise((done, fail) => {
    const call = request(
      ingestUrl,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': body.length, 'x-svc-api-key': order.apiKey },
      },
      (response) => {
        response.resume();
        response.on('end', () => done(response.statusCode ?? 0));
      },
    );
    call.on('error', fail);
    call.end(body);
  });
}
