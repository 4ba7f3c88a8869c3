import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { NodeRun } from './execution-shape.ts';
import { firstInputItem, firstItem } from './items.ts';
import { countOrNull, objectOr, textOrNull } from './json-fields.ts';

type ModelFacts = Record<string, Json>;

/** The log of an attached model: prompt, answer, tokens. The model name is only in the options of the call. */
export function modelCall(run: NodeRun): ModelFacts {
  const request = firstInputItem(run, 'ai_languageModel');
  const given = firstItem(run, 'ai_languageModel');
  const options = objectOr(request.options);
  const generations = objectOr(given.response).generations;
  const [generation] = Array.isArray(generations) ? generations.flat(1).filter(isJsonObject) : [];
  const usage = objectOr(given.tokenUsage ?? given.tokenUsageEstimate);
  const info = objectOr(generation?.generationInfo);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model':
      textOrNull(options.model) ?? textOrNull(options.model_name) ?? textOrNull(options.modelName),
    'gen_ai.input.messages': promptMessages(request.messages),
    'gen_ai.output.messages': answer(textOrNull(generation?.text)),
    'gen_ai.usage.input_tokens': countOrNull(usage.promptTokens),
    'gen_ai.usage.output_tokens': countOrNull(usage.completionTokens),
    'gen_ai.usage.total_tokens': countOrNull(usage.totalTokens),
    'gen_ai.response.finish_reasons': finishReasons(info.finish_reason ?? info.finishReason ?? info.stop_reason),
  };
}

const ROLES: Readonly<Record<string, string>> = {
  System: 'system',
  Human: 'user',
  AI: 'assistant',
  Tool: 'tool',
  Function: 'tool',
};
const TURN = /^(System|Human|AI|Tool|Function): ?/;

/**
 * n8n logs a whole conversation as one text: `Human: …
 * AI: …
 * Tool: …`.
 */
function promptMessages(value: Json | undefined): string | null {
  const messages: { role: string; content: string }[] = [];
  for (const text of Array.isArray(value) ? value : [value]) {
    if (typeof text !== 'string') continue;
    for (const line of text.split('\n')) {
      const turn = TURN.exec(line);
      const last = messages.at(-1);
      if (turn !== null) messages.push({ role: ROLES[turn[1]!]!, content: line.slice(turn[0].length) });
      else if (last === undefined) messages.push({ role: 'user', content: line });
      else last.content += `\n${line}`;
    }
  }
  return messages.length === 0 ? null : JSON.stringify(messages);
}

/** The answer in the output of a node that calls a model over HTTP, in OpenAI's or Anthropic's format; null otherwise. */
export function modelAnswer(item: JsonObject): ModelFacts | null {
  const usage = objectOr(item.usage);
  const choice = Array.isArray(item.choices) ? item.choices[0] : undefined;
  if (isJsonObject(choice) && isJsonObject(choice.message)) return chatCompletion(item, choice, usage);
  if (item.type === 'message' && item.role === 'assistant' && Array.isArray(item.content))
    return anthropicMessage(item, usage);
  return null;
}

function chatCompletion(item: JsonObject, choice: JsonObject, usage: JsonObject): ModelFacts {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': textOrNull(item.model),
    'gen_ai.output.messages': JSON.stringify([choice.message]),
    'gen_ai.usage.input_tokens': countOrNull(usage.prompt_tokens),
    'gen_ai.usage.output_tokens': countOrNull(usage.completion_tokens),
    'gen_ai.usage.total_tokens': countOrNull(usage.total_tokens),
    'gen_ai.usage.cache_read.input_tokens': countOrNull(objectOr(usage.prompt_tokens_details).cached_tokens),
    'gen_ai.usage.reasoning.output_tokens': countOrNull(objectOr(usage.completion_tokens_details).reasoning_tokens),
    'gen_ai.response.finish_reasons': finishReasons(choice.finish_reason),
  };
}

/** Anthropic excludes cached tokens from the input; our input includes them. */
function anthropicMessage(item: JsonObject, usage: JsonObject): ModelFacts {
  const cacheRead = countOrNull(usage.cache_read_input_tokens);
  const cacheWrite = countOrNull(usage.cache_creation_input_tokens);
  const uncached = countOrNull(usage.input_tokens);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': textOrNull(item.model),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', content: item.content ?? null }]),
    'gen_ai.usage.input_tokens': uncached === null ? null : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    'gen_ai.usage.output_tokens': countOrNull(usage.output_tokens),
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
    'gen_ai.response.finish_reasons': finishReasons(item.stop_reason),
  };
}

function answer(text: string | null): string | null {
  return text === null ? null : JSON.stringify([{ role: 'assistant', content: text }]);
}

function finishReasons(value: Json | undefined): Json {
  return typeof value === 'string' ? [value] : null;
}
