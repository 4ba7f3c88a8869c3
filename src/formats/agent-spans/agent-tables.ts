import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { exitCodeIn } from '../coding-session/exit-code.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import type { AgentStep, SpanTable } from './span-table.ts';

function textAt(attributes: Attributes, key: string): string | null {
  const value = attributes[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whether the program reports a failure. A status alone is not enough because hooks without output also set it. */
function isFailed({ status, attributes }: Span): boolean {
  return attributes.success === false || attributes.success === 'false' || status.code === 2;
}

/** Codex: a dispatched tool. Its arguments and result are in its log events. */
const CODEX: SpanTable = {
  framework: 'codex',
  isOwn: (serviceName, scopeName) => /^codex(?:[-_]|$)/.test(serviceName) && /^codex(?:[-_]|$)/.test(scopeName),
  sessionKeys: ['conversation.id', 'thread_id', 'thread.id'],
  stepOf: (span): AgentStep | null => {
    const { attributes } = span;
    const [id, name] = [textAt(attributes, 'call_id'), textAt(attributes, 'tool_name')];
    // A code mode script is represented by the tools that it calls.
    if (attributes['codex.tool.phase'] !== 'dispatch' || id === null || name === null || name === 'exec') return null;
    return { kind: 'tool', id, hasFailed: isFailed(span), attributes: toolAttributes(name, id) };
  },
};

function toolAttributes(name: string, id: string | null): Record<string, Json> {
  return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': id };
}

const GEMINI: SpanTable = {
  framework: 'gemini-cli',
  isOwn: (serviceName, scopeName) => serviceName === 'gemini-cli' && scopeName === 'gemini-cli',
  sessionKeys: ['gen_ai.conversation.id', 'session.id'],
  stepOf: (span): AgentStep | null => {
    const { attributes } = span;
    const operation = textAt(attributes, 'gen_ai.operation.name');
    const hasFailed = isFailed(span);
    if (operation === 'llm_call') return { kind: 'llm', id: null, hasFailed, attributes: geminiAnswer(attributes) };
    if (operation === 'agent_call') return { kind: 'agent', id: null, hasFailed, attributes: {} };
    return operation === 'tool_call' ? geminiTool(span) : null;
  },
};

/** Gemini's parts (`functionCall`, `text`) as GenAI message parts. */
function geminiAnswer(attributes: Attributes): Record<string, Json> {
  const messages = parseJson(textAt(attributes, 'gen_ai.output.messages') ?? '');
  const parts = (Array.isArray(messages) ? messages : [])
    .filter(isJsonObject)
    .flatMap(({ parts: list }) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  const outputValue = parts.flatMap(({ text, functionCall: call }): JsonObject[] => {
    if (typeof text === 'string') return [{ type: 'text', content: text }];
    if (!isJsonObject(call)) return [];
    return [{ type: 'tool_call', id: call.id ?? null, name: call.name ?? '', arguments: call.args ?? null }];
  });
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.output.messages':
      outputValue.length === 0 ? null : JSON.stringify([{ role: 'assistant', parts: outputValue }]),
  };
}

/** The result that the model received: `{responseParts: [{functionResponse: {response: {output}}}]}`. */
function geminiResult(response: Json | undefined): string | null {
  const parts = isJsonObject(response) && Array.isArray(response.responseParts) ? response.responseParts : [];
  const [answer] = parts.flatMap((part) =>
    isJsonObject(part) && isJsonObject(part.functionResponse) && isJsonObject(part.functionResponse.response)
      ? [part.functionResponse.response]
      : [],
  );
  const outputValue = answer?.output ?? answer?.error;
  return typeof outputValue === 'string' ? outputValue : null;
}

/** The call and its result are in the output, in the program's own format: `{status, request: {args}, response}`. */
function geminiTool(span: Span): AgentStep | null {
  const { attributes } = span;
  const name = textAt(attributes, 'gen_ai.tool.name');
  if (name === null) return null;
  const id = textAt(attributes, 'gen_ai.tool.call_id');
  const call = parseJson(textAt(attributes, 'gen_ai.output.messages') ?? '');
  const request = isJsonObject(call) && isJsonObject(call.request) ? call.request : {};
  const state = isJsonObject(call) ? call.status : null;
  const result = geminiResult(isJsonObject(call) ? call.response : undefined);
  const exitCode = name === 'run_shell_command' ? exitCodeIn(result ?? '') : null;
  const hasFailed =
    isFailed(span) || state === 'error' || state === 'cancelled' || (exitCode !== null && exitCode !== 0);
  return {
    kind: 'tool',
    id,
    hasFailed,
    attributes: {
      ...toolAttributes(name, id),
      'gen_ai.tool.call.result': result,
      [MISSTEP.toolIsError]: isJsonObject(call) ? hasFailed : null,
      [MISSTEP.toolExitCode]: exitCode,
      'gen_ai.tool.call.arguments': isJsonObject(request.args) ? JSON.stringify(request.args) : null,
      // The record of the whole call is not a message of a model.
      'gen_ai.output.messages': '',
      'gen_ai.input.messages': '',
    },
  };
}

const QWEN: SpanTable = {
  framework: 'qwen-code',
  isOwn: (serviceName, scopeName) => serviceName === 'qwen-code' && scopeName === 'qwen-code',
  sessionKeys: ['session.id', 'gen_ai.conversation.id'],
  stepOf: (span): AgentStep | null => {
    const { name, attributes } = span;
    const hasFailed = isFailed(span);
    if (name === 'qwen-code.llm_request')
      return { kind: 'llm', id: textAt(attributes, 'gen_ai.response.id'), hasFailed, attributes: {} };
    if (name === 'qwen-code.subagent') return { kind: 'agent', id: null, hasFailed, attributes: {} };
    if (name !== 'qwen-code.tool') return null;
    const id = textAt(attributes, 'call_id') ?? textAt(attributes, 'tool.call_id');
    return { kind: 'tool', id, hasFailed, attributes: { [MISSTEP.toolIsError]: hasFailed } };
  },
};

/** OpenCode traces all its layers; the runs are in the spans of Vercel's AI SDK. */
const OPENCODE: SpanTable = {
  framework: 'opencode',
  isOwn: (serviceName, scopeName) => serviceName === 'opencode' && /^(?:opencode|ai)$/.test(scopeName),
  sessionKeys: ['session.id', 'ai.telemetry.metadata.sessionId'],
  stepOf: (span): AgentStep | null => {
    const hasFailed = isFailed(span);
    if (/^ai\.(?:streamText\.doStream|generateText\.doGenerate)$/.test(span.name))
      return { kind: 'llm', id: null, hasFailed, attributes: {} };
    return span.name === 'ai.toolCall' ? openCodeTool(span, hasFailed) : null;
  },
};

/** The result is JSON: `{output, metadata: {exit}}` for a command. */
function openCodeTool({ attributes }: Span, hasThrown: boolean): AgentStep {
  const id = textAt(attributes, 'ai.toolCall.id');
  const result = parseJson(textAt(attributes, 'ai.toolCall.result') ?? '');
  const { output = null, metadata = null } = isJsonObject(result) ? result : {};
  const exit = isJsonObject(metadata) ? metadata.exit : null;
  const exitCode = typeof exit === 'number' && Number.isInteger(exit) ? exit : null;
  const hasFailed = hasThrown || (exitCode !== null && exitCode !== 0);
  return {
    kind: 'tool',
    id,
    hasFailed,
    attributes: {
      ...toolAttributes(textAt(attributes, 'ai.toolCall.name') ?? 'tool', id),
      'gen_ai.tool.call.arguments': textAt(attributes, 'ai.toolCall.args'),
      'gen_ai.tool.call.result': typeof output === 'string' ? output : textAt(attributes, 'ai.toolCall.result'),
      [MISSTEP.toolIsError]: exitCode === null && !hasThrown ? null : hasFailed,
      [MISSTEP.toolExitCode]: exitCode,
    },
  };
}

/** Copilot CLI follows the GenAI conventions; the span around a turn is not a subagent. */
const COPILOT: SpanTable = {
  framework: 'copilot-cli',
  isOwn: (serviceName, scopeName) => serviceName === 'github-copilot' && scopeName === 'github.copilot',
  sessionKeys: ['gen_ai.conversation.id'],
  stepOf: (span): AgentStep | null => {
    const operation = textAt(span.attributes, 'gen_ai.operation.name');
    const hasFailed = isFailed(span);
    if (operation === 'chat') return { kind: 'llm', id: null, hasFailed, attributes: {} };
    if (operation === 'execute_tool') return copilotTool(span, hasFailed);
    return operation === 'invoke_agent' && span.parentSpanId !== null
      ? { kind: 'agent', id: null, hasFailed, attributes: {} }
      : null;
  },
};

/** A failing command does not change the status of the span. */
function copilotTool({ attributes }: Span, hasThrown: boolean): AgentStep {
  const exit = attributes['process.exit.code'];
  const exitCode = typeof exit === 'number' && Number.isInteger(exit) ? exit : null;
  const hasFailed = hasThrown || (exitCode !== null && exitCode !== 0);
  return {
    kind: 'tool',
    id: textAt(attributes, 'gen_ai.tool.call.id'),
    hasFailed,
    attributes: {
      [MISSTEP.toolIsError]: exitCode === null && !hasThrown ? null : hasFailed,
      [MISSTEP.toolExitCode]: exitCode,
    },
  };
}

export const SPAN_TABLES: readonly SpanTable[] = [CODEX, GEMINI, QWEN, OPENCODE, COPILOT, CLAUDE_CODE];
