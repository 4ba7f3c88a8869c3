import { describe, expect, it } from 'vitest';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { decodeHook } from '../hooks/decode-hook.ts';
import { modelCallSpanId, sessionRootId, sessionTraceId, toolSpanId } from '../hooks/session-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { agentSpans } from './agent-spans.ts';

let at = 0;
function span(service: string, name: string, attributes: Attributes = {}, more: Partial<Span> = {}): Span {
  at += 1;
  return {
    traceId: `trace-${at}`,
    spanId: `span-${at}`,
    parentSpanId: null,
    name,
    kind: 1,
    startNs: BigInt(at) * 1_000_000_000n,
    endNs: BigInt(at) * 1_000_000_000n + 500_000_000n,
    status: { code: 0, message: '' },
    attributes,
    events: [],
    links: [],
    resource: { 'service.name': service },
    scope: { name: service, version: '' },
    ...more,
  };
}
const traceOf = (spans: readonly Span[]) =>
  buildTrace(mergeSpans(spans), { models: createModelCatalog(), isSettled: true });
const ofSession = (spans: readonly Span[]) => spans.filter(({ traceId }) => traceId === sessionTraceId('s'));

const QWEN = { 'session.id': 's' };
const GEMINI = { 'gen_ai.conversation.id': 's', 'gen_ai.agent.name': 'gemini-cli' };
const OPENCODE = { 'session.id': 's' };
const COPILOT = { 'gen_ai.conversation.id': 's' };
const COPILOT_SCOPE = { scope: { name: 'github.copilot', version: '1' } };
const CODEX = { 'conversation.id': 's', 'codex.tool.phase': 'dispatch' };

describe('steps', () => {
  it.each<[string, Span, string, string]>([
    [
      'a model call of Gemini CLI',
      span('gemini-cli', 'llm_call', {
        ...GEMINI,
        'gen_ai.operation.name': 'llm_call',
        'gen_ai.output.messages': '[{"role":"model","parts":[{"text":"Sorted."}]}]',
      }),
      'llm',
      'chat: Sorted.',
    ],
    [
      'a tool call of Gemini CLI',
      span('gemini-cli', 'tool_call', {
        ...GEMINI,
        'gen_ai.operation.name': 'tool_call',
        'gen_ai.tool.name': 'read_file',
        'gen_ai.tool.call_id': 'c',
        'gen_ai.output.messages': '{"status":"success","request":{"args":{"path":"a"}}}',
      }),
      'tool',
      'read_file: {"path":"a"}',
    ],
    [
      'a model call of Qwen Code',
      span('qwen-code', 'qwen-code.llm_request', {
        ...QWEN,
        'gen_ai.response.id': 'r',
        'gen_ai.operation.name': 'chat',
      }),
      'llm',
      'chat: ',
    ],
    [
      'a tool call of Qwen Code',
      span('qwen-code', 'qwen-code.tool', { ...QWEN, call_id: 'c', 'gen_ai.tool.name': 'edit' }),
      'tool',
      'edit: null',
    ],
    [
      'a model call of OpenCode',
      span('opencode', 'ai.streamText.doStream', {
        ...OPENCODE,
        'ai.operationId': 'ai.streamText.doStream',
        'ai.response.text': 'Sorted.',
      }),
      'llm',
      'chat: Sorted.',
    ],
    [
      'a tool call of OpenCode',
      span('opencode', 'ai.toolCall', {
        ...OPENCODE,
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.id': 'c',
        'ai.toolCall.name': 'bash',
        'ai.toolCall.args': '{"command":"ls"}',
      }),
      'tool',
      'bash: {"command":"ls"}',
    ],
    [
      'a tool call of Codex',
      span('codex_exec', 'exec_command', { ...CODEX, call_id: 'c', tool_name: 'exec_command' }),
      'tool',
      'exec_command: null',
    ],
    [
      'a model call of Copilot CLI',
      span(
        'github-copilot',
        'chat m',
        {
          ...COPILOT,
          'gen_ai.operation.name': 'chat',
          'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Sorted."}]}]',
        },
        { parentSpanId: 'p', ...COPILOT_SCOPE },
      ),
      'llm',
      'chat: Sorted.',
    ],
    [
      'a tool call of Copilot CLI',
      span(
        'github-copilot',
        'execute_tool bash bash',
        {
          ...COPILOT,
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'bash',
          'gen_ai.tool.call.id': 'c',
          'gen_ai.tool.call.arguments': '{"command":"ls"}',
        },
        { parentSpanId: 'p', ...COPILOT_SCOPE },
      ),
      'tool',
      'bash: {"command":"ls"}',
    ],
  ])('%s moves into the trace of its session', (_title, sent, kind, expected) => {
    const spans = agentSpans([sent]);
    expect(ofSession(spans)).toHaveLength(2);
    const [root, step] = traceOf(spans).steps;
    expect(root).toMatchObject({ kind: 'agent', parent: null });
    expect(step).toMatchObject({ kind, parent: 0 });
    expect(`${step!.name}: ${step!.tool === null ? step!.output : JSON.stringify(step!.tool.arguments)}`).toBe(
      expected,
    );
  });

  it('have the ids that hooks and log events use', () => {
    const ids = agentSpans([
      span('qwen-code', 'qwen-code.tool', { ...QWEN, call_id: 'c', 'gen_ai.tool.name': 'edit' }),
      span('qwen-code', 'qwen-code.llm_request', { ...QWEN, 'gen_ai.response.id': 'r' }),
    ]).map(({ spanId }) => spanId);
    expect(ids).toEqual([sessionRootId('s'), toolSpanId('s', 'c'), modelCallSpanId('s', 'r')]);
  });

  it.each<[string, Span, object]>([
    [
      'Qwen Code',
      span('qwen-code', 'qwen-code.tool', { ...QWEN, call_id: 'c', 'gen_ai.tool.name': 'edit', success: false }),
      { isError: true },
    ],
    [
      'OpenCode',
      span('opencode', 'ai.toolCall', {
        ...OPENCODE,
        'ai.toolCall.name': 'bash',
        'ai.toolCall.result': '{"output":"no","metadata":{"exit":4}}',
      }),
      { isError: true, exitCode: 4 },
    ],
    [
      'Gemini CLI',
      span('gemini-cli', 'tool_call', {
        ...GEMINI,
        'gen_ai.operation.name': 'tool_call',
        'gen_ai.tool.name': 'run_shell_command',
        'gen_ai.output.messages': JSON.stringify({
          status: 'success',
          request: { args: { command: 'make' } },
          response: {
            responseParts: [{ functionResponse: { response: { output: 'Output: no rule\nExit Code: 2' } } }],
          },
        }),
      }),
      { isError: true, exitCode: 2 },
    ],
    [
      'Copilot CLI',
      span(
        'github-copilot',
        'execute_tool bash bash',
        {
          ...COPILOT,
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'bash',
          'process.exit.code': 4,
        },
        { parentSpanId: 'p', ...COPILOT_SCOPE },
      ),
      { isError: true, exitCode: 4 },
    ],
  ])('keep the failure of a tool of %s', (_title, sent, outcome) => {
    expect(traceOf(agentSpans([sent])).steps[1]).toMatchObject({ status: 'error', toolOutcome: outcome });
  });

  it('of several traces form one trace that ends with the last step', () => {
    const call = () => span('gemini-cli', 'llm_call', { ...GEMINI, 'gen_ai.operation.name': 'llm_call' });
    const spans = [...agentSpans([call(), call()]), ...agentSpans([call()])];
    const trace = traceOf(spans);
    expect(trace.steps).toHaveLength(4);
    expect(trace).toMatchObject({ framework: 'gemini-cli', status: 'ok', sessionId: 's' });
    expect(mergeSpans(spans).find(({ parentSpanId }) => parentSpanId === null)!.endNs).toBe(spans.at(-1)!.endNs);
  });

  it('do not decide how the session ended', () => {
    const steps = agentSpans([
      span('qwen-code', 'qwen-code.tool', { ...QWEN, call_id: 'c', 'gen_ai.tool.name': 'edit' }),
    ]);
    const stop = { hook_event_name: 'Stop', session_id: 's', last_assistant_message: 'Sorted.' };
    const hooks = decodeHook(stop, 90_000, 'qwen-code').spans;
    expect(traceOf(steps).codingSession?.endedBy).toBe('unknown');
    expect(traceOf([...steps, ...hooks]).codingSession?.endedBy).toBe('completed');
    expect(traceOf([...hooks, ...steps]).codingSession?.endedBy).toBe('completed');
  });

  it('without a session stay in their trace', () => {
    const sent = span('qwen-code', 'qwen-code.llm_request', { 'gen_ai.operation.name': 'chat' });
    expect(agentSpans([sent])).toEqual([sent]);
  });

  it('use the session of the resource', () => {
    const sent = span('gemini-cli', 'llm_call', { 'gen_ai.operation.name': 'llm_call' });
    expect(ofSession(agentSpans([{ ...sent, resource: { ...sent.resource, 'session.id': 's' } }]))).toHaveLength(2);
  });
});

describe('bookkeeping', () => {
  it.each<[string, Span]>([
    [
      'a hook of Qwen Code',
      span(
        'qwen-code',
        'qwen-code.hook',
        { ...QWEN, 'tool.name': 'edit', success: false },
        { status: { code: 2, message: 'hook' } },
      ),
    ],
    [
      'the inner part of a tool call of Qwen Code',
      span('qwen-code', 'qwen-code.tool.execution', { ...QWEN, 'gen_ai.tool.name': 'edit' }),
    ],
    [
      'a scheduler of Gemini CLI',
      span('gemini-cli', 'schedule_tool_calls', { ...GEMINI, 'gen_ai.operation.name': 'schedule_tool_calls' }),
    ],
    ['a statement of OpenCode', span('opencode', 'sql.execute')],
    ['the outer span of an answer of OpenCode', span('opencode', 'ai.streamText', OPENCODE)],
    [
      'the span around a turn of Copilot CLI',
      span('github-copilot', 'invoke_agent', { ...COPILOT, 'gen_ai.operation.name': 'invoke_agent' }, COPILOT_SCOPE),
    ],
    ['a file access of Codex', span('codex_exec', 'fs.read_file')],
    ['a script of code mode', span('codex_exec', 'exec', { ...CODEX, call_id: 'c', tool_name: 'exec' })],
  ])('%s stays in its trace and is not a step', (_title, sent) => {
    const spans = agentSpans([sent]);
    expect(spans).toMatchObject([
      { traceId: sent.traceId, spanId: sent.spanId, attributes: { 'misstep.is_bookkeeping': true } },
    ]);
    expect(traceOf(spans).steps).toMatchObject([{ kind: 'other' }]);
  });

  it('of another program is unchanged', () => {
    const sent = [
      span('shop', 'sql.execute'),
      span('codex_exec', 'checkout', {}, { scope: { name: 'shop', version: '' } }),
    ];
    expect(agentSpans(sent)).toEqual(sent);
  });
});

describe('the folder of a session', () => {
  const call = (more: Partial<Span> = {}) =>
    span('codex_exec', 'dispatch', { ...CODEX, call_id: 'c', tool_name: 'exec_command' }, { traceId: 't', ...more });
  const sampling = (cwd: string, more: Partial<Span> = {}) =>
    span('codex_exec', 'run_sampling_request', { cwd }, { traceId: 't', ...more });
  const other = { resource: { 'service.name': 'shop' }, scope: { name: 'shop', version: '' } };

  it.each<[string, Span[], string | null]>([
    ['is in a span of the same trace', [sampling('/srv/ferry'), call()], '/srv/ferry'],
    ['is in a later span', [call(), sampling('/srv/ferry')], '/srv/ferry'],
    [
      'is in another trace of the same session',
      [sampling('/srv/ferry'), span('codex_exec', 'turn', CODEX, { traceId: 't' }), call({ traceId: 'u' })],
      '/srv/ferry',
    ],
    [
      'is unknown if its trace has two sessions',
      [sampling('/srv/ferry'), span('codex_exec', 'turn', { 'conversation.id': 'z' }, { traceId: 't' }), call()],
      null,
    ],
    [
      'is unknown if two traces differ',
      [sampling('/srv/ferry'), call(), sampling('/srv/quay', { traceId: 'u' }), call({ traceId: 'u' })],
      null,
    ],
    ['is unknown if spans name several', [sampling('/srv/ferry'), sampling('/srv/quay'), call()], null],
    ['is unknown if another trace names one', [sampling('/srv/ferry', { traceId: 'u' }), call()], null],
    ['is not that of another program', [sampling('/srv/shop', other), call()], null],
    ['is not a relative path', [sampling('.'), call()], null],
    [
      'is in the resource',
      [call({ resource: { 'service.name': 'codex_exec', 'process.working_directory': 'C:\\ferry' } })],
      'C:\\ferry',
    ],
  ])('%s', (_title, spans, expected) => {
    const trace = traceOf(ofSession(agentSpans(spans)));
    expect(trace.codingSession?.project ?? null).toBe(expected);
    expect(trace.steps.map(({ workingDirectory }) => workingDirectory)).toEqual(trace.steps.map(() => expected));
  });
});
