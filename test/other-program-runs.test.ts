import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../src/core/json.ts';
import { mergeSpans } from '../src/core/merge-spans.ts';
import type { Span } from '../src/core/span.ts';
import { type Analysis, analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';

const models = createModelCatalog();
const FIXTURES = join(import.meta.dirname, 'fixtures');
/** Bodies recorded from real programs; they are not part of this repository. */
const CAPTURES = process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../shared/clients/captures');

interface Outline {
  status: string;
  agents: string[];
  tools: string[];
  /** Total of the run; null if its sender does not count tokens. */
  tokens: number | null;
  states: number;
  found: string[];
}

function outlinesOf(bodies: readonly Buffer[]): Outline[] {
  const spans = bodies.flatMap((body) => {
    const decoded = decodeAny(body, { receivedAtMs: 0 });
    expect(decoded.rejections.filter(({ pointer }) => pointer === '')).toEqual([]);
    return decoded.spans;
  });
  const runs = [...Map.groupBy(mergeSpans(spans), ({ traceId }) => traceId).values()];
  return runs.map((run) => outline(run));
}

function outline(spans: Span[]): Outline {
  const { trace, result }: Analysis = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  expect(result.crashed).toEqual([]);
  return {
    status: trace.status,
    agents: trace.agents,
    tools: [...new Set(trace.steps.flatMap(({ tool }) => tool?.name ?? []))],
    tokens: trace.tokens.total,
    states: trace.states.length,
    found: result.detections.map(({ type, subtype, agent }) => `${type}/${subtype} ${agent ?? '-'}`),
  };
}

describe('runs of other programs', () => {
  test.each<[string, string[], Partial<Outline>]>([
    ['a healthy supervisor', ['langgraph-server/newsletter.history.json'], { status: 'ok', found: [] }],
    ['a healthy agent', ['langsmith/garden-helper.multipart'], { status: 'ok', found: [] }],
    ['a healthy handoff', ['openai-agents/museum-desk.export.json'], { status: 'ok', found: [] }],
    ['a healthy stream', ['langgraph-server/stars.stream.sse'], { status: 'ok', found: [] }],
    [
      'a thread with a loop',
      ['langgraph-server/floor-plan.history.json'],
      { status: 'running', found: ['loop/cyclic architect'] },
    ],
    [
      'its completion webhook alone',
      ['langgraph-server/floor-plan.webhook.json'],
      { status: 'error', found: ['loop/recursion_limit -'] },
    ],
    [
      'the thread, then the webhook',
      ['langgraph-server/floor-plan.history.json', 'langgraph-server/floor-plan.webhook.json'],
      { status: 'error', agents: ['architect', 'reviewer'], found: ['loop/recursion_limit architect'] },
    ],
    [
      'the webhook, then the thread',
      ['langgraph-server/floor-plan.webhook.json', 'langgraph-server/floor-plan.history.json'],
      { status: 'error', agents: ['architect', 'reviewer'], found: ['loop/recursion_limit architect'] },
    ],
    [
      'a node that failed',
      ['langgraph-server/ledger.history.json'],
      { status: 'error', found: ['tool_failure/other bookkeeper'] },
    ],
  ])('%s', (_, files, expected) => {
    expect(outlinesOf(files.map((file) => readFileSync(join(FIXTURES, file))))).toMatchObject([expected]);
  });
});

const SUPERVISOR = { status: 'ok', agents: ['supervisor', 'researcher', 'writer'], states: 6, found: [] };
const HANDOFF = { status: 'ok', agents: ['triage', 'writer'], tools: [], tokens: 336, states: 0, found: [] };
const NO_LOOP = expect.not.arrayContaining([expect.stringMatching(/^loop/)]);
const FAILED = { status: 'error', found: [expect.stringMatching(/^tool_failure\/service/)] };

describe.skipIf(!existsSync(CAPTURES))('recorded bodies of real programs (needs the captures)', () => {
  test.each<[string, () => Buffer[], object[]]>([
    ['OpenAI Agents, chat', () => requests('openai-agents/traces-ingest-chat.jsonl'), [HANDOFF]],
    ['OpenAI Agents, responses', () => requests('openai-agents/traces-ingest-responses.jsonl'), [HANDOFF]],
    [
      'LangSmith',
      () => requests('langsmith/native-ingest.jsonl'),
      [
        // The model was a fake that calls the tool with arguments that are not in its schema.
        { ...SUPERVISOR, tools: ['get_weather'], tokens: 1008, found: NO_LOOP },
        { status: 'error', agents: ['planner', 'critic'], tokens: 840, found: ['loop/recursion_limit planner'] },
        FAILED,
      ],
    ],
    ['LangGraph server, history', () => [file('langgraph-server/thread-history.json')], [SUPERVISOR]],
    ['LangGraph server, state', () => [file('langgraph-server/thread-state.json')], [{ status: 'ok', found: [] }]],
    ['LangGraph server, run', () => [file('langgraph-server/run-get.json')], [{ status: 'ok', found: [] }]],
    ['LangGraph server, runs', () => [file('langgraph-server/runs-list.json')], [{ status: 'ok', found: [] }]],
    [
      'LangGraph server, webhooks',
      () => requests('langgraph-server/webhooks.jsonl'),
      [{ status: 'ok', found: [] }, { found: ['loop/recursion_limit -'] }, FAILED, { status: 'ok', found: [] }],
    ],
    [
      'LangGraph server, stream',
      () => [file('langgraph-server/stream.sse')],
      [{ status: 'ok', agents: ['supervisor'], tokens: 168, states: 1, found: [] }],
    ],
    ['LangGraph library, history', () => [member('genai/langgraph-state-history.json', 'history')], [SUPERVISOR]],
    [
      'LangGraph library, looping',
      () => [member('genai/langgraph-state-history.json', 'loopHistory')],
      [{ agents: ['planner', 'critic'], found: ['loop/cyclic planner'] }],
    ],
  ])('%s', (_, bodies, expected) => {
    expect(outlinesOf(bodies())).toMatchObject(expected);
  });
});

function file(name: string): Buffer {
  return readFileSync(join(CAPTURES, name));
}

/** Bodies of the recorded POST requests, one a line. */
function requests(name: string): Buffer[] {
  const lines = file(name).toString('utf8').trim().split('\n').map(parseJson);
  return lines.flatMap((line) => {
    if (!isJsonObject(line) || line.method !== 'POST') return [];
    return [Buffer.from(typeof line.body === 'string' ? line.body : JSON.stringify(line.body))];
  });
}

function member(name: string, key: string): Buffer {
  const all = parseJson(file(name).toString('utf8'));
  return Buffer.from(JSON.stringify(isJsonObject(all) ? (all[key] as Json) : null));
}
