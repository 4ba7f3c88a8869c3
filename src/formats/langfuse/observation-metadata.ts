import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';

/** Facts in an observation's metadata about the instrumentation that recorded it. */
export interface ObservationMetadata {
  /** Null if only Langfuse's own SDK recorded it. */
  scope: Span['scope'] | null;
  resource: Attributes;
  /** Set if the metadata itself names the framework. */
  framework: string | null;
  /** Kind and tool of a span to which Langfuse assigns no type. */
  kind: string | null;
  toolName: string | null;
}

/** Langfuse stores OpenTelemetry's scope, resource and other attributes as an object, or as JSON text in exports of its UI. */
export function readMetadata(metadata: Json | undefined): ObservationMetadata {
  const parsed = typeof metadata === 'string' ? parseJson(metadata) : metadata;
  const { scope, resourceAttributes, attributes, ...own } = isJsonObject(parsed) ? parsed : {};
  const recorded = isJsonObject(attributes) ? attributes : {};
  const toolName = firstText(recorded, 'gen_ai.tool.name', 'tool.name', 'ai.toolCall.name');
  return {
    scope: scopeOf(scope),
    resource: isJsonObject(resourceAttributes) ? (resourceAttributes as Attributes) : {},
    framework: isLangGraph(own) ? 'langgraph' : null,
    kind: kindOf(recorded),
    toolName,
  };
}

function scopeOf(scope: Json | undefined): Span['scope'] | null {
  if (!isJsonObject(scope) || typeof scope.name !== 'string' || scope.name === '') return null;
  if (scope.name === 'langfuse-sdk') return null;
  return { name: scope.name, version: typeof scope.version === 'string' ? scope.version : '' };
}

/** Other senders write a node name for Langfuse's graph view; only LangGraph itself writes its checkpoints. */
function isLangGraph(metadata: JsonObject): boolean {
  return 'langgraph_step' in metadata && 'langgraph_checkpoint_ns' in metadata;
}

const KINDS: Readonly<Record<string, string>> = {
  LLM: 'llm',
  TOOL: 'tool',
  AGENT: 'agent',
  RETRIEVER: 'retrieval',
  EMBEDDING: 'embedding',
  GUARDRAIL: 'guardrail',
  execute_tool: 'tool',
  invoke_agent: 'agent',
};

function kindOf(attributes: JsonObject): string | null {
  const named = firstText(attributes, 'openinference.span.kind', 'gen_ai.operation.name');
  if (named !== null && Object.hasOwn(KINDS, named)) return KINDS[named] as string;
  const isTool = firstText(attributes, 'gen_ai.tool.call.id', 'ai.toolCall.id') !== null;
  return isTool ? 'tool' : null;
}

function firstText(value: JsonObject, ...names: string[]): string | null {
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string' && text !== '') return text;
  }
  return null;
}
