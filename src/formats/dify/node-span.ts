import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { errorFallbackOf } from './error-fallback.ts';
import { roundsOf } from './rounds.ts';
import { numberIn, objectIn, type RunEvent, textIn } from './run-shape.ts';
import { makeSpan, runSpanId, statusOf, textOf, timesOf } from './run-span.ts';
import { inputsOf } from './workflow-span.ts';

const KINDS: Readonly<Record<string, StepKind>> = {
  llm: 'llm',
  'question-classifier': 'llm',
  'parameter-extractor': 'llm',
  agent: 'agent',
  tool: 'tool',
  'http-request': 'tool',
  'knowledge-retrieval': 'retrieval',
  answer: 'chain',
  end: 'chain',
};

/** Container nodes, in which other nodes run. They are identified by node id, all others by execution id. */
const CONTAINERS = new Set(['iteration', 'loop']);

/** A node execution, from its start or end event; the end event repeats the facts of the start. */
export function nodeSpan({ runId, data, name: event }: RunEvent): Span | null {
  const nodeId = textIn(data, 'node_id');
  const isContainer = CONTAINERS.has(textIn(data, 'node_type') ?? '');
  const id = isContainer ? nodeId : (textIn(data, 'id') ?? nodeId);
  if (id === null) return null;
  const type = textIn(data, 'node_type') ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type]! : 'other';
  const name = textIn(data, 'title') ?? nodeId ?? id;
  const isBeginning = event.endsWith('_started');
  const span = makeSpan(
    runId,
    {
      spanId: isContainer ? containerId(runId, id) : runSpanId(runId, 'node', id),
      parentSpanId: parentOf(runId, data),
      kind,
      name,
      ...timesOf(data, !isBeginning),
      status: statusOf(data),
    },
    {
      'graphruntime.node.name': name,
      'gen_ai.agent.name': kind === 'agent' ? name : null,
      'dify.node.id': nodeId,
      'dify.node.type': type || null,
      'dify.status': textIn(data, 'status'),
      [MISSTEP.errorFallback]: errorFallbackOf(data),
      [MISSTEP.round]: roundOf(data),
      ...roundsOf(type, data),
      ...contentOf(kind, type, name, data),
    },
  );
  // The two records contain different facts: with separate scopes neither replaces the other.
  return isContainer && !event.startsWith('node_')
    ? { ...span, scope: { name: 'misstep.dify.rounds', version: '1' } }
    : span;
}

/** Starts at zero. */
function roundOf(data: JsonObject): number | null {
  const metadata = objectIn(data, 'execution_metadata');
  return numberIn(metadata, 'iteration_index', 'loop_index') ?? numberIn(data, 'iteration_index', 'loop_index');
}

/** A failed attempt before a retry; the last attempt is the node itself. */
export function retrySpan({ runId, data }: RunEvent): Span | null {
  const id = textIn(data, 'id') ?? textIn(data, 'node_id');
  if (id === null) return null;
  const type = textIn(data, 'node_type') ?? '';
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type]! : 'other';
  const name = textIn(data, 'title') ?? id;
  const attempt = numberIn(data, 'retry_index') ?? 0;
  return makeSpan(
    runId,
    {
      spanId: runSpanId(runId, 'node', id, 'retry', attempt),
      parentSpanId: parentOf(runId, data),
      kind,
      name,
      ...timesOf(data, true),
      status: { code: 2, message: textIn(data, 'error') ?? PLACEHOLDER_ERROR.attempt },
    },
    {
      'graphruntime.node.name': name,
      'dify.node.type': type || null,
      'dify.retry_index': attempt,
      [MISSTEP.errorFallback]: errorFallbackOf(data),
      ...contentOf(kind, type, name, data),
    },
  );
}

function containerId(runId: string, nodeId: string): string {
  return runSpanId(runId, 'container', nodeId);
}

/** The iteration or loop that contains a node, else the run. */
function parentOf(runId: string, data: JsonObject): string {
  const metadata = objectIn(data, 'execution_metadata');
  const containerKey =
    textIn(data, 'iteration_id', 'loop_id') ?? textIn(metadata, 'iteration_id') ?? textIn(metadata, 'loop_id');
  const isSelf = containerKey === textIn(data, 'node_id');
  return containerKey === null || isSelf ? runSpanId(runId) : containerId(runId, containerKey);
}

function contentOf(kind: StepKind, type: string, name: string, data: JsonObject): Record<string, Json> {
  if (kind === 'llm') return modelContent(data);
  if (kind === 'tool') return toolContent(name, data);
  if (kind === 'retrieval') return retrievalContent(data);
  if (type === 'start') return { ...inputsOf(data), 'output.value': null };
  return {
    'input.value': textOf(data.inputs),
    'output.value': textOf(data.outputs),
    ...(kind === 'agent' ? usageOf(data) : {}),
  };
}

/** Prompts and usage are in `process_data`; older servers put the usage among the outputs. */
function modelContent(data: JsonObject): Record<string, Json> {
  const process = objectIn(data, 'process_data');
  const outputs = objectIn(data, 'outputs');
  const text = textIn(outputs, 'text');
  const finish = textIn(outputs, 'finish_reason') ?? textIn(process, 'finish_reason');
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': textIn(process, 'model_name'),
    'gen_ai.provider.name': providerOf(textIn(process, 'model_provider')),
    'gen_ai.input.messages': promptsOf(process.prompts),
    'gen_ai.output.messages': text === null ? null : JSON.stringify([{ role: 'assistant', content: text }]),
    'gen_ai.response.finish_reasons': finish === null ? null : [finish],
    'input.value': Array.isArray(process.prompts) ? null : textOf(data.inputs),
    'output.value': text === null ? textOf(data.outputs) : null,
    ...usageOf(data),
  };
}

/** `langgenius/openai/openai` names the plugin and the provider. */
function providerOf(provider: string | null): string | null {
  return provider === null ? null : provider.slice(provider.lastIndexOf('/') + 1);
}

function promptsOf(prompts: Json | undefined): string | null {
  if (!Array.isArray(prompts)) return null;
  const messages = prompts.filter(isJsonObject).map((prompt) => ({
    role: textIn(prompt, 'role') ?? 'user',
    content: textIn(prompt, 'text') ?? '',
  }));
  return messages.length === 0 ? null : JSON.stringify(messages);
}

function usageOf(data: JsonObject): Record<string, Json> {
  const inProcess = objectIn(objectIn(data, 'process_data'), 'usage');
  const usage = Object.keys(inProcess).length > 0 ? inProcess : objectIn(objectIn(data, 'outputs'), 'usage');
  const metadata = objectIn(data, 'execution_metadata');
  const priced = textIn(usage, 'currency') === null ? metadata : usage;
  return {
    'gen_ai.usage.input_tokens': numberIn(usage, 'prompt_tokens'),
    'gen_ai.usage.output_tokens': numberIn(usage, 'completion_tokens'),
    'gen_ai.usage.total_tokens': numberIn(usage, 'total_tokens') ?? (numberIn(metadata, 'total_tokens') || null),
    [MISSTEP.costUsd]: textIn(priced, 'currency') === 'USD' ? numberIn(priced, 'total_price') || null : null,
  };
}

function toolContent(name: string, data: JsonObject): Record<string, Json> {
  const outputs = objectIn(data, 'outputs');
  const { text, json, files: _, ...rest } = outputs;
  const isPlainText = typeof text === 'string' && text !== '' && Object.keys(rest).length === 0;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': textOf(data.inputs),
    'gen_ai.tool.call.result': isPlainText && !hasContent(json) ? text : textOf(data.outputs),
  };
}

function hasContent(json: Json | undefined): boolean {
  return Array.isArray(json) ? json.length > 0 : json != null;
}

/** `outputs.result` is a list of `{content, title, metadata: {score, segment_id}}`. */
function retrievalContent(data: JsonObject): Record<string, Json> {
  const result = objectIn(data, 'outputs').result;
  const documents = (Array.isArray(result) ? result : []).filter(isJsonObject).map((found) => {
    const metadata = objectIn(found, 'metadata');
    return {
      id: textIn(metadata, 'segment_id'),
      content: textIn(found, 'content') ?? '',
      score: numberIn(metadata, 'score'),
    };
  });
  return {
    'gen_ai.operation.name': 'retrieval',
    'input.value': textOf(objectIn(data, 'inputs').query) ?? textOf(data.inputs),
    [MISSTEP.documents]: documents.length === 0 ? null : JSON.stringify(documents),
  };
}
