import { isJsonObject, type Json } from '../../core/json.ts';
import type { Attributes, SpanEvent } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { asCount, entryOf, jsonAt, textAt } from './attribute-values.ts';
import { unwrapArguments } from './io-value.ts';
import { gotoOf, type LangGraphMetadata, readGraphState, readLangGraphMetadata } from './langchain-values.ts';
import { readDocuments } from './retrieved-documents.ts';
import { readErrorText } from './span-error.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** LangSmith's OTel mode. The OTel reader handles prompt and completion; this one handles kind, metadata and usage. */
export const readLangSmith: FactsReader = ({ name, attributes, events }) => {
  const spanKind = textAt(attributes, 'langsmith.span.kind');
  if (spanKind === undefined && !('langsmith.trace.name' in attributes)) return null;
  const kind = entryOf(KINDS, spanKind);
  const known = readLangGraphMetadata(metadataOf(attributes), name);
  const facts: Partial<StepFacts> = {
    ...known,
    kind,
    framework: known.framework ?? 'langchain',
    sessionId: known.sessionId ?? textAt(attributes, 'langsmith.trace.session_id'),
    tokens: readUsage(jsonAt(attributes, 'langsmith.usage_metadata')),
    goto: gotoOf(jsonAt(attributes, 'gen_ai.completion')),
    ...readFailure(events),
  };
  if (kind === 'chain') {
    Object.assign(facts, readGraphState(jsonAt(attributes, 'gen_ai.prompt'), jsonAt(attributes, 'gen_ai.completion')));
  }
  if (kind === 'tool') {
    const given = jsonAt(attributes, 'gen_ai.tool.call.arguments') ?? jsonAt(attributes, 'gen_ai.prompt');
    const returned = jsonAt(attributes, 'gen_ai.tool.call.result') ?? jsonAt(attributes, 'gen_ai.completion');
    facts.tool = {
      id: textAt(attributes, 'gen_ai.tool.call.id') ?? null,
      name: textAt(attributes, 'gen_ai.tool.name') ?? name,
      arguments: unwrapArguments(given ?? null),
      result: returned ?? null,
    };
  }
  if (kind === 'retrieval') facts.documents = readDocuments(jsonAt(attributes, 'gen_ai.completion') ?? null);
  return facts;
};

/** The JavaScript SDK records the exception of a failed run and then sets the span's status to OK. */
function readFailure(events: readonly SpanEvent[]): Partial<StepFacts> {
  const exception = events.findLast(({ name }) => name === 'exception');
  const message = exception && textAt(exception.attributes, 'exception.message');
  return message === undefined ? {} : { error: readErrorText(message), hasFailed: true };
}

const KINDS: Record<string, StepKind> = {
  llm: 'llm',
  chain: 'chain',
  tool: 'tool',
  retriever: 'retrieval',
  embedding: 'embedding',
  prompt: 'chain',
  parser: 'chain',
};

const METADATA = [
  'langgraph_node',
  'langgraph_step',
  'checkpoint_ns',
  'langgraph_checkpoint_ns',
  'checkpoint_id',
  'thread_id',
  'session_id',
  'lc_agent_name',
  'ls_integration',
  'ls_provider',
  'ls_model_name',
] as const;

function metadataOf(attributes: Attributes): LangGraphMetadata {
  const metadata: LangGraphMetadata = {};
  for (const key of METADATA) {
    const value = attributes[`langsmith.metadata.${key}`];
    if (value !== undefined) metadata[key] = value;
  }
  return metadata;
}

function readUsage(usage: Json | undefined): StepFacts['tokens'] | undefined {
  if (!isJsonObject(usage)) return undefined;
  const details = isJsonObject(usage.input_token_details) ? usage.input_token_details : {};
  const outputDetails = isJsonObject(usage.output_token_details) ? usage.output_token_details : {};
  return {
    input: asCount(usage.input_tokens),
    output: asCount(usage.output_tokens),
    total: asCount(usage.total_tokens),
    cacheRead: asCount(details.cache_read),
    cacheWrite: asCount(details.cache_creation),
    reasoning: asCount(outputDetails.reasoning),
  };
}
