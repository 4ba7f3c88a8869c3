import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** A span's name and attributes in OpenTelemetry's GenAI conventions; null if it has no facts. */
export interface SpanAttributes {
  name: string;
  attributes: Record<string, Json>;
}

/**
 * The `span_data` of one span by its type (openai-agents `span_data`: agent, turn, task, generation, response, function,
 * handoff, guardrail, mcp_tools, custom). Unknown types become plain steps.
 */
export function readSpanData(data: JsonObject): SpanAttributes {
  const type = textOf(data.type) ?? 'custom';
  const name = textOf(data.name) ?? type;
  switch (type) {
    case 'agent':
      return spanAttributes(name, 'agent', agentAttributes(data, name));
    case 'generation':
    case 'response':
      return spanAttributes(type, 'llm', modelAttributes(data));
    case 'function':
      return spanAttributes(name, 'tool', toolAttributes(data, name));
    case 'handoff':
      return spanAttributes(`handoff to ${textOf(data.to_agent) ?? '?'}`, 'message', handoffAttributes(data));
    case 'guardrail':
      return spanAttributes(name, 'guardrail', {
        'output.value': JSON.stringify({ triggered: data.triggered === true }),
      });
    default:
      return customAttributes(data, name);
  }
}

function spanAttributes(name: string, kind: StepKind, attributes: Record<string, Json>): SpanAttributes {
  return { name, attributes: { [MISSTEP.stepKind]: kind, ...attributes } };
}

/** The SDK represents every handoff as a tool with this name, which `tools` does not list. */
function agentAttributes(data: JsonObject, name: string): Record<string, Json> {
  const handoffs = textsOf(data.handoffs).map(
    (agent) => `transfer_to_${agent.toLowerCase().replace(/[^a-z0-9]/g, '_')}`,
  );
  const tools = [...textsOf(data.tools), ...handoffs];
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.tool.definitions': tools.length > 0 && Array.isArray(data.tools) ? tools : null,
  };
}

/** The text of a response stays at the provider: the export only contains its id, unless a processor added the text. */
function modelAttributes(data: JsonObject): Record<string, Json> {
  const response = [data.response, data._response].find(isJsonObject) ?? {};
  const answers = listOf(data.output ?? response.output ?? null);
  const completions = answers.filter(isCompletion);
  const choices = completions.flatMap(({ choices }) => choices.filter(isJsonObject));
  const output = choices.length > 0 ? choices.map((choice) => choice.message ?? null) : answers;
  const reasons = choices.map((choice) => choice.finish_reason).filter((reason) => typeof reason === 'string');
  const usage = [data.usage, response.usage, completions[0]?.usage].find(isJsonObject);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': textOf(data.model) ?? textOf(response.model),
    'gen_ai.response.id': textOf(data.response_id),
    'gen_ai.input.messages': jsonOf(data.input ?? data._input ?? null),
    'gen_ai.output.messages': output.length === 0 ? null : JSON.stringify(output),
    'gen_ai.response.finish_reasons': reasons.length === 0 ? null : reasons,
    ...usageAttributes(usage),
  };
}

function toolAttributes(data: JsonObject, name: string): Record<string, Json> {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': jsonOf(data.input ?? null),
    'gen_ai.tool.call.result': jsonOf(data.output ?? null),
  };
}

function handoffAttributes(data: JsonObject): Record<string, Json> {
  const target = textOf(data.to_agent);
  return { [MISSTEP.goto]: target === null ? null : [target], 'gen_ai.agent.name': textOf(data.from_agent) };
}

/** The SDK's own turns and tasks are custom spans, with the tokens of the calls inside them. */
function customAttributes(data: JsonObject, name: string): SpanAttributes {
  const own = isJsonObject(data.data) ? data.data : {};
  const isSdks = typeof own.sdk_span_type === 'string';
  return spanAttributes(name, isSdks ? 'chain' : 'other', {
    'gen_ai.agent.name': isSdks ? textOf(own.agent_name) : null,
    ...(isSdks && isJsonObject(own.usage) ? usageAttributes(own.usage) : {}),
    ...(isSdks ? {} : { 'openai.agents.data': jsonOf(data.data ?? data.result ?? null) }),
  });
}

function usageAttributes(usage: JsonObject | undefined): Record<string, Json> {
  if (usage === undefined) return {};
  const inputDetails = [usage.prompt_tokens_details, usage.input_tokens_details].find(isJsonObject) ?? {};
  const outputDetails = [usage.completion_tokens_details, usage.output_tokens_details].find(isJsonObject) ?? {};
  return {
    'gen_ai.usage.input_tokens': usage.input_tokens ?? usage.prompt_tokens ?? null,
    'gen_ai.usage.output_tokens': usage.output_tokens ?? usage.completion_tokens ?? null,
    'gen_ai.usage.total_tokens': usage.total_tokens ?? null,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_input_tokens ?? inputDetails.cached_tokens ?? null,
    'gen_ai.usage.reasoning.output_tokens': outputDetails.reasoning_tokens ?? null,
  };
}

type Completion = JsonObject & { choices: Json[] };

function isCompletion(value: Json): value is Completion {
  return isJsonObject(value) && Array.isArray(value.choices);
}

function listOf(value: Json): Json[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function jsonOf(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  return JSON.stringify(value);
}
