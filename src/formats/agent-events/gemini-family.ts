import { writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { objectsIn } from '../coding-session/fields.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { textMessage } from '../misstep/text-message.ts';
import type { AgentEvent, EventError } from './agent-event.ts';
import type { EventTable } from './event-table.ts';

type Events = EventTable['events'];

/** Events of Gemini CLI and of its fork Qwen Code, which adds ids. */
function eventsOf(provider: string | null): Events {
  return {
    user_prompt: (event) => [event.prompt(promptId(event), event.text('prompt')), event.root()],
    api_response: (event) => [modelCall(event, provider, null), event.rootEnd('unknown')],
    api_error: (event) => [modelCall(event, provider, errorOf(event, 'api_error')), event.rootEnd('unknown')],
    tool_call: (event) => [toolCall(event), event.root()],
  };
}

export const GEMINI_EVENTS: EventTable = {
  framework: 'gemini-cli',
  prefixes: ['gemini_cli.'],
  sessionKeys: ['session.id'],
  isOwnScope: () => false,
  events: eventsOf('gcp.gemini'),
};

export const QWEN_EVENTS: EventTable = {
  framework: 'qwen-code',
  prefixes: ['qwen-code.'],
  sessionKeys: ['session.id'],
  isOwnScope: () => false,
  events: eventsOf(null),
};

/** Prompt id; null if Gemini CLI puts the session id there because it does not number prompts. */
function promptId(event: AgentEvent): string | null {
  const id = event.text('prompt_id');
  return id === event.text('session.id') ? null : id;
}

/** Reasoning tokens are billed as output. Both programs include cached tokens in the input. */
function modelCall(event: AgentEvent, provider: string | null, error: EventError | null): Span {
  const output = [event.count('output_token_count'), event.count('thoughts_token_count')];
  const counted = output.filter((count) => count !== null);
  return event.modelCall(event.text('response_id'), error, {
    'gen_ai.provider.name': provider,
    'gen_ai.response.id': event.text('response_id'),
    'gen_ai.output.messages': answerMessage(event),
    'gen_ai.usage.input_tokens': event.count('input_token_count'),
    'gen_ai.usage.output_tokens': counted.length === 0 ? null : counted.reduce((sum, count) => sum + count, 0),
    'gen_ai.usage.cache_read.input_tokens': event.count('cached_content_token_count'),
  });
}

/**
 * The model's text, if the user allows the program to log it. Answers to subagents and utilities do not belong to the
 * session.
 */
function answerMessage(event: AgentEvent): string | null {
  const isOwn = (event.text('role') ?? 'main') === 'main' && event.text('subagent_name') === null;
  const response = isOwn ? textIn(event.text('response_text') ?? '') : '';
  return response === '' ? null : textMessage('assistant', response);
}

/** Qwen Code logs the text, Gemini CLI the parts of the stream as JSON: `[{candidates: [{content: {parts}}]}]`. */
function textIn(text: string): string {
  const read = text.startsWith('[') || text.startsWith('{') ? parseJson(text) : undefined;
  const answers = isJsonObject(read) ? [read] : objectsIn(read);
  if (!answers.some(({ candidates }) => Array.isArray(candidates))) return text;
  return answers
    .flatMap(({ candidates }) => objectsIn(candidates).slice(0, 1))
    .flatMap(({ content }) => (isJsonObject(content) ? objectsIn(content.parts) : []))
    .map(({ text: words, thought }) => (typeof words === 'string' && thought !== true ? words : ''))
    .join('');
}

function toolCall(event: AgentEvent): Span {
  const refusal = event.text('decision') === 'reject';
  const exitCode = exitCodeIn(event);
  const hasFailed = refusal || !event.isSuccess() || (exitCode !== null && exitCode !== 0);
  const error = refusal
    ? { type: 'permission_denied', message: writtenError('refusedBy', 'the user') }
    : errorOf(event, 'tool_error', exitCode);
  return event.toolCall({
    name: event.text('function_name'),
    callId: event.text('call_id'),
    error: hasFailed ? error : null,
    attributes: {
      'gen_ai.tool.call.arguments': event.text('function_args'),
      [MISSTEP.toolIsError]: hasFailed,
      [MISSTEP.toolExitCode]: exitCode,
      [MISSTEP.refusedBy]: refusal ? 'user' : null,
    },
  });
}

function errorOf(event: AgentEvent, otherwise: string, exitCode: number | null = null): EventError {
  const message = event.text('error') ?? event.text('error.message') ?? event.text('error_message');
  return {
    type: event.text('error_type') ?? event.text('status_code') ?? otherwise,
    message: message ?? (exitCode === null ? otherwise : writtenError('exitCode', exitCode)),
  };
}

/** `metadata` is JSON text: `{exitCode, isError}` for a command. */
function exitCodeIn(event: AgentEvent): number | null {
  const metadata: Json | undefined = parseJson(event.text('metadata') ?? '');
  const code = isJsonObject(metadata) ? metadata.exitCode : null;
  return typeof code === 'number' && Number.isInteger(code) ? code : null;
}
