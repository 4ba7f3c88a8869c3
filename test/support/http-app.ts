import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { AppDependencies } from '../../src/app/app-dependencies.ts';
import { type AppConfig, DEFAULT_CONFIG, databaseFileOf } from '../../src/app/config.ts';
import { type App, openApp } from '../../src/app/open-app.ts';
import type { Json } from '../../src/core/json.ts';
import type { Scope } from '../../src/features/_kit/caller.ts';
import type { TaskRunner } from '../../src/features/offload/task-runner.ts';
import type { Services } from '../../src/features/services.ts';
import { createHttpApp } from '../../src/http/create-http-app.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from '../../src/http/http-config.ts';
import type { HttpDependencies } from '../../src/http/http-context.ts';
import { listen } from '../../src/http/listen.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** Virtual time that changes only when it is advanced. */
export interface FakeClock {
  now(): number;
  advance(ms: number): void;
}

export interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Objects are sent as JSON. */
  body?: Json | Buffer;
  /** Sent as `X-SVC-API-Key`. */
  credential?: string | null;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** Parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of all shapes
  json: any;
}

export interface Tenant {
  tenantId: string;
  apiKey: string;
}

export interface HttpFixture {
  url: string;
  port: number;
  app: App;
  services: Services;
  dataFolder: string;
  clock: FakeClock;
  metrics: Registry;
  /** Parsed lines of the request log. */
  logLines: Record<string, unknown>[];
  send(sent: Sent): Promise<Received>;
  newTenant(name?: string): Promise<Tenant>;
  newKey(tenantId: string, scopes: readonly Scope[]): Promise<string>;
  close(): Promise<void>;
}

export interface HttpAppDependencies extends Pick<HttpDependencies, 'heartbeat' | 'checkEverySecond' | 'readWebFiles'> {
  /** Where heavy tasks run; by default in the same thread. @param file of the database */
  openTasks?(file: string): TaskRunner;
}

/** A page without scripts, and one file with the name that tests of all routes request. Tests of the real page bundle it. */
const noWebFiles = () => ({
  page: '<!doctype html><title>Misstep</title>',
  files: new Map([
    ['nothing', { contentType: 'text/javascript', content: Buffer.alloc(0), brotli: Buffer.from([0x3b]) }],
  ]),
});

/** A server on a free port with a real database in a temporary folder; rate limits are off by default. */
export async function startHttpApp(
  config: Partial<HttpConfig> = {},
  appConfig: Partial<AppConfig> = {},
  { openTasks, ...dependencies }: HttpAppDependencies = {},
  appDependencies: Pick<AppDependencies, 'dataDisk' | 'monotonicMs'> = {},
): Promise<HttpFixture> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'misstep-http-'));
  const clock = createFakeClock();
  const tasks = openTasks?.(databaseFileOf(dataFolder));
  const app = await openApp({ ...DEFAULT_CONFIG, ...appConfig, dataFolder }, { clock, tasks, ...appDependencies });
  const services = app.services;
  const logLines: Record<string, unknown>[] = [];
  const metrics = new Registry();
  const httpConfig: HttpConfig = {
    ...DEFAULT_HTTP_CONFIG,
    port: 0,
    operatorToken: OPERATOR_TOKEN,
    rateLimits: null,
    validatesOutput: true,
    ...config,
  };
  const logger = pino({ level: 'debug' }, lineCollector(logLines));
  const listener = await listen(
    createHttpApp(services, httpConfig, { clock, logger, metrics, readWebFiles: noWebFiles, ...dependencies }),
    httpConfig,
  );
  return {
    url: listener.url,
    port: listener.port,
    app,
    services,
    dataFolder,
    clock,
    metrics,
    logLines,
    send: (sent) => send(listener.port, sent),
    async newTenant(name = 'tenant') {
      const { tenant_id, api_key } = await services.tenants.create({ name });
      return { tenantId: tenant_id, apiKey: api_key };
    },
    async newKey(tenantId, scopes) {
      const key = await services.apiKeys.create(tenantId, { name: scopes.join(), scopes, expiresAt: null });
      return key.api_key;
    },
    async close() {
      await listener.close(100);
      await app.close();
      await rm(dataFolder, { recursive: true });
    },
  };
}

export function createFakeClock(start: number = Date.UTC(2026, 0, 15, 12)): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

function lineCollector(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
}

/** Uses a raw client, which can set any header, including `Host`. */
function send(port: number, { method, path, headers = {}, body, credential }: Sent): Promise<Received> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const all: Record<string, string> = {
    ...(bytes && !Buffer.isBuffer(body) ? { 'Content-Type': 'application/json' } : {}),
    ...(bytes ? { 'Content-Length': String(bytes.length) } : {}),
    ...(credential ? { 'X-SVC-API-Key': credential } : {}),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: method ?? (bytes ? 'POST' : 'GET'), headers: all };
    const outgoing = httpRequest(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve(received(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))));
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function received(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Received {
  const text = bytes.toString();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, headers, bytes, text, json };
}
