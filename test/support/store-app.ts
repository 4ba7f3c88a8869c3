import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { AppDependencies } from '../../src/app/app-dependencies.ts';
import { type AppConfig, DEFAULT_CONFIG, databaseFileOf } from '../../src/app/config.ts';
import { type App, openApp } from '../../src/app/open-app.ts';
import type { Span } from '../../src/core/span.ts';
import type { IngestReply } from '../../src/features/ingest/ingest.service.ts';
import type { Services } from '../../src/features/services.ts';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import type { Database } from '../../src/store/schema.ts';
import { createFakeClock, type FakeClock } from './http-app.ts';
import { makeSpan } from './make-span.ts';

/** The services with a real SQLite file in a temporary folder; the time changes only when it is advanced. */
export interface StoreApp {
  app: App;
  services: Services;
  db: Kysely<Database>;
  clock: FakeClock;
  /** Path of the database. */
  file: string;
  /** Problems that the analysis reported, as `subject: problem`. */
  problems: string[];
  newTenant(name?: string): Promise<string>;
  /** Sends the spans in one OTLP/JSON body, like an exporter. */
  send(tenantId: string, spans: readonly Span[]): Promise<IngestReply>;
  /** Advances the clock by `ms` and analyzes due traces. @returns the number of analyzed traces */
  settle(ms?: number): Promise<number>;
  /** A second process on the same file; close it before this one. */
  openSecond(dependencies?: AppDependencies): Promise<App>;
  close(): Promise<void>;
}

/** Longer than the settle time of a trace with an ended root, shorter than that of a trace without. */
const SETTLED_MS = 2_000;

export async function openStoreApp(
  options: { config?: Partial<AppConfig>; dependencies?: AppDependencies } = {},
): Promise<StoreApp> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'misstep-store-'));
  const clock = createFakeClock();
  const problems: string[] = [];
  const config: AppConfig = { ...DEFAULT_CONFIG, ...options.config, dataFolder };
  const common: AppDependencies = {
    clock,
    onProblem: (subject, problem) => void problems.push(`${subject}: ${problem}`),
  };
  const app = await openApp(config, { ...common, ...options.dependencies });
  const { services } = app;
  return {
    app,
    services,
    db: app.store.db,
    clock,
    file: databaseFileOf(dataFolder),
    problems,
    newTenant: async (name = 'tenant') => (await services.tenants.create({ name })).tenant_id,
    send: (tenantId, spans) => services.ingest.ingest(tenantId, toRequest(spans)),
    async settle(ms = SETTLED_MS) {
      clock.advance(ms);
      return services.analysis.runDue(1_000);
    },
    openSecond: (dependencies) => openApp(config, { ...common, ...dependencies }),
    async close() {
      await app.close();
      await rm(dataFolder, { recursive: true });
    },
  };
}

export function toRequest(spans: readonly Span[]): { encoding: 'json'; body: Buffer } {
  return { encoding: 'json', body: Buffer.from(encodeOtlpJson(spans)) };
}

/** A hex trace id that begins with a letter and ends in `number`. */
export function traceIdOf(number: number): string {
  return `a${number.toString(16).padStart(31, '0')}`;
}

export function spanIdOf(number: number): string {
  return `b${number.toString(16).padStart(15, '0')}`;
}

const START_NS = 1_768_478_400_000_000_000n;

/**
 * Spans of one run: `planner` calls a tool, the tool returns, `writer` writes, below a root. The root comes last, as
 * exporters send; each step takes a second.
 */
export function runSpans(
  traceNumber: number,
  overrides: { startNs?: bigint; tokens?: number; service?: string } = {},
): Span[] {
  const startNs = overrides.startNs ?? START_NS;
  const traceId = traceIdOf(traceNumber);
  const tokens = overrides.tokens ?? 10;
  const resource = { 'service.name': overrides.service ?? 'desk' };
  const part = (number: number, attributes: Span['attributes']): Span =>
    makeSpan({
      traceId,
      spanId: spanIdOf(number),
      parentSpanId: number === 0 ? null : spanIdOf(0),
      name: `part ${number}`,
      startNs: startNs + BigInt(number) * SECOND_NS,
      endNs: startNs + BigInt(number === 0 ? 4 : number + 1) * SECOND_NS,
      attributes,
      resource,
    });
  const chat = (agent: string) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.agent.name': agent,
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.usage.input_tokens': tokens,
    'gen_ai.usage.output_tokens': 1,
  });
  const tool = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.agent.name': 'planner',
    'gen_ai.tool.name': 'search',
    'gen_ai.tool.call.arguments': '{"q":"opening hours"}',
    'gen_ai.tool.call.result': '"nine to five"',
  };
  const root = { 'gen_ai.operation.name': 'invoke_workflow' };
  return [part(1, chat('planner')), part(2, tool), part(3, chat('writer')), part(0, root)];
}

const SECOND_NS = 1_000_000_000n;
