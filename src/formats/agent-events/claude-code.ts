import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { AgentEvent, EventError } from './agent-event.ts';
import type { EventTable } from './event-table.ts';

/** Events of Claude Code: prompts, model calls and their errors, tool results and refusals. */
export const CLAUDE_CODE_EVENTS: EventTable = {
  framework: 'claude-code',
  prefixes: ['claude_code.'],
  sessionKeys: ['session.id'],
  isOwnScope: (scopeName, serviceName) => scopeName.includes('claude_code') || serviceName === 'claude-code',
  events: {
    user_prompt: (event) => [event.prompt(event.text('prompt.id'), words(event)), event.root()],
    api_request: (event) => [modelCall(event, null)],
    api_error: (event) => [modelCall(event, errorOf(event, 'api_error'))],
    tool_result: (event) => [toolCall(event, event.isSuccess() ? null : errorOf(event, 'tool_error'))],
    tool_decision: (event) => (event.text('decision') === 'reject' ? [toolCall(event, refusal(event))] : []),
  },
};

function words(event: AgentEvent): string | null {
  const prompt = event.text('prompt');
  return prompt === '<REDACTED>' ? null : prompt;
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

function toolCall(event: AgentEvent, error: EventError | null): Span {
  return event.toolCall({
    name: event.text('tool_name'),
    callId: event.text('tool_use_id'),
    error,
    attributes: { 'gen_ai.tool.call.arguments': event.text('tool_input') ?? event.text('tool_parameters') },
  });
}

function errorOf(event: AgentEvent, otherwise: string): EventError {
  const message = event.text('error') ?? event.text('error_message') ?? '';
  return { type: event.text('status_code') ?? event.text('error_type') ?? otherwise, message };
}

function refusal(event: AgentEvent): EventError {
  return { type: 'permission_denied', message: `refused by ${event.text('source') ?? 'the user'}` };
}
