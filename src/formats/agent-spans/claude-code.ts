import type { Json } from '../../core/json.ts';
import type { Attributes, AttributeValue, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { textMessage } from '../misstep/text-message.ts';
import type { AgentStep, SpanTable } from './span-table.ts';

/** Claude Code: `claude_code.interaction` around `claude_code.llm_request` and `claude_code.tool`, which has parts. */
export const CLAUDE_CODE: SpanTable = {
  framework: 'claude-code',
  isOwn: (_serviceName, scopeName) => scopeName.includes('claude_code'),
  sessionKeys: ['session.id', 'gen_ai.conversation.id'],
  stepOf: (span): AgentStep | null => {
    if (span.name === 'claude_code.llm_request') return modelCall(span.attributes);
    if (span.name === 'claude_code.tool') return toolCall(span.attributes);
    return span.name === 'claude_code.interaction' ? prompt(span.attributes) : null;
  },
};

function prompt(attributes: Attributes): AgentStep | null {
  const promptText = textAt(attributes, 'user_prompt');
  if (promptText === null || promptText === '<REDACTED>') return null;
  const promptMessage = textMessage('user', promptText);
  const known = { [MISSTEP.task]: promptText, 'gen_ai.output.messages': promptMessage, 'gen_ai.operation.name': '' };
  return { kind: 'message', id: null, hasFailed: false, attributes: known };
}

/** Tokens read from or written to the prompt cache are part of the input. */
function modelCall(attributes: Attributes): AgentStep {
  const [uncached, read, written] = ['input_tokens', 'cache_read_tokens', 'cache_creation_tokens'].map((key) =>
    countAt(attributes, key),
  );
  const hasFailed = isFalse(attributes.success);
  return {
    kind: 'llm',
    id: textAt(attributes, 'request_id'),
    hasFailed,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': textAt(attributes, 'model'),
      'gen_ai.usage.input_tokens': uncached == null ? null : uncached + (read ?? 0) + (written ?? 0),
      'gen_ai.usage.output_tokens': countAt(attributes, 'output_tokens'),
      'gen_ai.usage.cache_read.input_tokens': read ?? null,
      'gen_ai.usage.cache_creation.input_tokens': written ?? null,
      'error.type': hasFailed ? (textAt(attributes, 'status_code') ?? 'api_error') : null,
      [MISSTEP.isTimeMeasured]: true,
    },
  };
}

function toolCall(attributes: Attributes): AgentStep {
  const id = textAt(attributes, 'tool_use_id') ?? textAt(attributes, 'gen_ai.tool.call.id');
  const isRefused = attributes[MISSTEP.refusedBy] !== undefined;
  const isKnown = attributes.success !== undefined || isRefused;
  const hasFailed = isFalse(attributes.success) || isRefused;
  return {
    kind: 'tool',
    id,
    hasFailed,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': textAt(attributes, 'tool_name') ?? 'tool',
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': argumentsOf(attributes),
      [MISSTEP.toolIsError]: isKnown ? hasFailed : null,
    },
  };
}

/** Arguments of a tool. If the spans lack the whole input, they contain the command or the file. */
function argumentsOf(attributes: Attributes): string | null {
  const command = textAt(attributes, 'full_command');
  const file = textAt(attributes, 'file_path');
  return (
    textAt(attributes, 'tool_input') ??
    (command === null ? null : JSON.stringify({ command })) ??
    (file === null ? null : JSON.stringify({ file_path: file }))
  );
}

/** Facts from the parts of a tool span: how the tool ended, its own duration, and who refused it. */
export function withToolParts(spans: readonly Span[]): readonly Span[] {
  const parts = new Map<string, Span[]>();
  for (const span of spans) {
    if (span.parentSpanId === null || !PARTS.has(span.name)) continue;
    parts.set(span.parentSpanId, [...(parts.get(span.parentSpanId) ?? []), span].slice(-MAX_PARTS));
  }
  if (parts.size === 0) return spans;
  return spans.map((span) => {
    const own = span.name === 'claude_code.tool' ? parts.get(span.spanId) : undefined;
    return own === undefined ? span : own.reduce(withPart, span);
  });
}

const PARTS: ReadonlySet<string> = new Set(['claude_code.tool.execution', 'claude_code.tool.blocked_on_user']);
const MAX_PARTS = 4;

function withPart(tool: Span, part: Span): Span {
  if (part.name === 'claude_code.tool.blocked_on_user') {
    if (part.attributes.decision !== 'reject') return tool;
    const by = String(part.attributes.source).includes('user') ? 'user' : 'policy';
    return { ...tool, attributes: { ...tool.attributes, [MISSTEP.refusedBy]: by, 'error.type': 'permission_denied' } };
  }
  const outcome = ['success', 'error.type', 'error'].flatMap((key): [string, AttributeValue][] => {
    const value = part.attributes[key];
    return value === undefined ? [] : [[key, value]];
  });
  const attributes = { ...tool.attributes, ...Object.fromEntries(outcome), [MISSTEP.isTimeMeasured]: true };
  const message = part.status.message || (textAt(part.attributes, 'error') ?? '');
  const status = part.status.code === 2 ? { code: 2 as const, message } : tool.status;
  return { ...tool, startNs: part.startNs, endNs: part.endNs, status, attributes };
}

function isFalse(value: AttributeValue | undefined): boolean {
  return value === false || value === 'false';
}

function textAt(attributes: Attributes, key: string): string | null {
  const value = attributes[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function countAt(attributes: Attributes, key: string): number | null {
  const value: Json | undefined = attributes[key];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}
