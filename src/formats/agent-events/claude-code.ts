import { writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { AgentEvent, EventError } from './agent-event.ts';
import type { EventTable } from './event-table.ts';

const REDACTED = '<REDACTED>';

/** Events of Claude Code: prompts, model calls and their errors, tool results and refusals. */
export const CLAUDE_CODE_EVENTS: EventTable = {
  framework: 'claude-code',
  prefixes: ['claude_code.'],
  sessionKeys: ['session.id'],
  isOwnScope: (scopeName, serviceName) => scopeName.includes('claude_code') || serviceName === 'claude-code',
  events: {
    user_prompt: (event) => [event.prompt(event.text('prompt.id'), promptText(event)), event.root()],
    api_request: (event) => [modelCall(event, null), ...(isMainThread(event) ? [event.root()] : [])],
    api_error: (event) => [
      modelCall(event, errorOf(event, 'api_error')),
      ...(isMainThread(event) ? [event.rootEnd('api_error')] : []),
    ],
    assistant_response: answer,
    tool_result: (event) => [toolResult(event)],
    tool_decision: (event) => (event.text('decision') === 'reject' ? refusedCall(event) : []),
  },
};

/** Requests of subagents, and requests for titles, summaries and suggestions, neither start nor end a turn of the session. */
function isMainThread(event: AgentEvent): boolean {
  const source = event.text('query_source');
  return source === null || source === 'sdk' || source.startsWith('repl_main_thread');
}

/** The turn ends with the answer that no request follows. */
function answer(event: AgentEvent): Span[] {
  if (!isMainThread(event)) return [];
  const response = event.text('response');
  const step = response === null || response === REDACTED ? [] : [event.answer(event.text('prompt.id'), response)];
  return [...step, event.rootEnd('completed')];
}

function promptText(event: AgentEvent): string | null {
  const prompt = event.text('prompt');
  return prompt === REDACTED ? null : prompt;
}

/** Tokens read from or written to the prompt cache are part of the input. */
function modelCall(event: AgentEvent, error: EventError | null): Span {
  const input = ['input_tokens', 'cache_read_tokens', 'cache_creation_tokens'].map((name) => event.count(name));
  const counted = input.filter((count) => count !== null);
  return event.modelCall(event.text('request_id'), error, {
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.usage.input_tokens': counted.length === 0 ? null : counted.reduce((sum, count) => sum + count, 0),
    'gen_ai.usage.output_tokens': event.count('output_tokens'),
    'gen_ai.usage.cache_read.input_tokens': event.count('cache_read_tokens'),
    'gen_ai.usage.cache_creation.input_tokens': event.count('cache_creation_tokens'),
    [MISSTEP.cacheWriteHourTokens]: event.count('cache_creation_1h_tokens') || null,
    [MISSTEP.costUsd]: event.count('cost_usd'),
  });
}

function toolResult(event: AgentEvent): Span {
  const isError = !event.isSuccess();
  return toolCall(event, isError ? errorOf(event, 'tool_error') : null, { [MISSTEP.toolIsError]: isError });
}

/** A refusal by the user ends the turn, unless a request follows it. */
function refusedCall(event: AgentEvent): Span[] {
  const source = event.text('source') ?? 'the user';
  const by = source.includes('user') ? 'user' : 'policy';
  const error = { type: 'permission_denied', message: writtenError('refusedBy', source) };
  const call = toolCall(event, error, { [MISSTEP.toolIsError]: true, [MISSTEP.refusedBy]: by });
  return by === 'user' ? [call, event.rootEnd('refused')] : [call];
}

function toolCall(event: AgentEvent, error: EventError | null, outcome: Record<string, Json>): Span {
  return event.toolCall({
    name: event.text('tool_name'),
    callId: event.text('tool_use_id'),
    error,
    attributes: {
      'gen_ai.tool.call.arguments': event.text('tool_input') ?? argumentsIn(event.text('tool_parameters')),
      ...outcome,
    },
  });
}

/** Arguments of the tool. Without its input, the parameters contain the command of a shell. */
function argumentsIn(parameters: string | null): string | null {
  const read = parameters === null ? null : parseJson(parameters);
  const command = isJsonObject(read ?? undefined) ? (read as JsonObject).full_command : undefined;
  return typeof command === 'string' ? JSON.stringify({ command }) : parameters;
}

function errorOf(event: AgentEvent, otherwise: string): EventError {
  const message = event.text('error') ?? event.text('error_message') ?? '';
  return { type: event.text('status_code') ?? event.text('error_type') ?? otherwise, message };
}
