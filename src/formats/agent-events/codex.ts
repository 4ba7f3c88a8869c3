import { writtenError } from '../../core/decoder-error.ts';
import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { scriptCalls } from '../codex/script-calls.ts';
import { readToolOutput, type ToolOutput } from '../codex/tool-output.ts';
import { setOutcome } from '../codex/tool-span.ts';
import type { AgentEvent, EventError } from './agent-event.ts';
import type { EventTable } from './event-table.ts';

/**
 * Events of Codex. Token counts are in `codex.sse_event`; `codex.api_request` describes only the HTTP request and is used
 * if it failed. The `success` of `codex.tool_result` means that the tool ran: the exit code is in the output.
 */
export const CODEX_EVENTS: EventTable = {
  framework: 'codex',
  prefixes: ['codex.'],
  sessionKeys: ['conversation.id'],
  isOwnScope: () => false,
  events: {
    conversation_starts: (event) => [event.root()],
    user_prompt: (event) => [event.prompt(null, promptStep(event)), event.root()],
    sse_event: modelCall,
    websocket_event: modelCall,
    api_request: failedRequest,
    tool_result: (event) => [...toolCall(event), event.root()],
    tool_decision: refusedCall,
  },
};

function promptStep(event: AgentEvent): string | null {
  const prompt = event.text('prompt');
  return prompt === '[REDACTED]' ? null : prompt;
}

function modelCall(event: AgentEvent): Span[] {
  const kind = event.text('event.kind');
  if (kind === 'response.failed')
    return [event.modelCall(null, errorOf(event, 'model_error'), OPENAI), event.rootEnd('unknown')];
  if (kind !== 'response.completed' || event.count('input_token_count') === null) return [];
  const call = event.modelCall(null, null, {
    ...OPENAI,
    'gen_ai.usage.input_tokens': event.count('input_token_count'),
    'gen_ai.usage.output_tokens': event.count('output_token_count'),
    'gen_ai.usage.cache_read.input_tokens': event.count('cached_token_count'),
    'gen_ai.usage.cache_creation.input_tokens': event.count('cache_write_token_count'),
    'gen_ai.usage.reasoning.output_tokens': event.count('reasoning_token_count'),
  });
  return [call, event.rootEnd('unknown')];
}

const OPENAI: Record<string, Json> = { 'gen_ai.provider.name': 'openai' };

function failedRequest(event: AgentEvent): Span[] {
  const status = event.count('http.response.status_code');
  const hasFailed = event.text('error.message') !== null || (status !== null && status >= 400);
  return hasFailed
    ? [event.modelCall(null, errorOf(event, String(status ?? 'api_error')), OPENAI), event.rootEnd('unknown')]
    : [];
}

function errorOf(event: AgentEvent, type: string): EventError {
  return { type, message: event.text('error.message') ?? type };
}

const CODE_MODE_TOOL = 'exec';

/** A code mode script is omitted if its calls have events of their own. */
function toolCall(event: AgentEvent): Span[] {
  const name = event.text('tool_name') ?? 'tool';
  const given = event.text('arguments');
  const called = name === CODE_MODE_TOOL ? scriptCalls(given ?? '').map(({ tool }) => tool) : [];
  const output = outcomeOf(event, name);
  const isOwnError = output.isError === true && !called.some((tool) => (output.message ?? '').startsWith(`${tool} `));
  if (called.length > 0 && !isOwnError) return [];
  const span = event.toolCall({
    name,
    callId: event.text('call_id'),
    error: null,
    attributes: {
      'gen_ai.tool.call.arguments': name === CODE_MODE_TOOL ? JSON.stringify({ javascript: given }) : given,
    },
  });
  setOutcome(span, output);
  return [span];
}

/** Code mode repeats the error of a call in the script's output, which is one text here. */
function outcomeOf(event: AgentEvent, name: string): ToolOutput {
  const output = readToolOutput(event.text('output') ?? '', [name]);
  if (event.isSuccess() || output.isError === true) return output;
  return { ...output, isError: true, message: output.message ?? output.text };
}

/** The decisions `denied` and `abort`, by the user or the configuration; every other decision allows the call. */
function refusedCall(event: AgentEvent): Span[] {
  const decision = event.text('decision')?.toLowerCase() ?? '';
  if (!/^(?:denied|abort|rejected)/.test(decision)) return [];
  const by = /^user/i.test(event.text('source') ?? '') ? 'user' : 'policy';
  const span = event.toolCall({
    name: event.text('tool_name'),
    callId: event.text('call_id'),
    error: null,
    attributes: {},
  });
  setOutcome(span, {
    ...readToolOutput('', []),
    isError: true,
    message: writtenError('refusedBy', `the ${by}`),
    refusal: { by, reason: decision },
  });
  return [span];
}
