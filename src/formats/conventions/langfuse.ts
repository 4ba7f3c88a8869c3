import type { Attributes, Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { entryOf, hasKeyUnder, jsonAt, textAt } from './attribute-values.ts';
import { readIoValue, unwrapArguments } from './io-value.ts';
import { type LangGraphMetadata, readLangGraphMetadata } from './langchain-values.ts';
import { readLangfuseCost, readLangfuseUsage } from './langfuse-usage.ts';
import { readDocuments } from './retrieved-documents.ts';
import { readErrorText } from './span-error.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/**
 * Attributes of Langfuse's SDKs: `langfuse.observation.*` for the step, `langfuse.trace.*` for the run. Source:
 * `LangfuseOtelSpanAttributes` of `@langfuse/core` 5.11.
 */
export const readLangfuse: FactsReader = (span) => {
  const { attributes } = span;
  if (!hasKeyUnder(attributes, 'langfuse.')) return null;
  const type = textAt(attributes, 'langfuse.observation.type')?.toLowerCase();
  const kind = entryOf(LANGFUSE_KINDS, type);
  const facts: Partial<StepFacts> = {
    kind,
    agent: kind === 'agent' ? span.name || undefined : undefined,
    runName: textAt(attributes, 'langfuse.trace.name'),
    sessionId: textAt(attributes, 'session.id', 'langfuse.session.id'),
    ...readGraphMetadata(attributes, span.name),
    ...readModelCall(attributes),
    ...readFailure(attributes),
  };
  readContents(span, kind, facts);
  return facts;
};

/** Kind of step by type of observation. Source: langfuse.com/docs, data model. */
export const LANGFUSE_KINDS: Readonly<Record<string, StepKind>> = {
  span: 'chain',
  event: 'other',
  generation: 'llm',
  agent: 'agent',
  tool: 'tool',
  chain: 'chain',
  retriever: 'retrieval',
  evaluator: 'other',
  embedding: 'embedding',
  guardrail: 'guardrail',
};

const METADATA = 'langfuse.observation.metadata.';
const GRAPH_KEYS = [
  'langgraph_node',
  'langgraph_step',
  'langgraph_checkpoint_ns',
  'checkpoint_ns',
  'thread_id',
] as const;

/** Other senders write a node name for Langfuse's graph view; only LangGraph itself writes its checkpoints. */
function readGraphMetadata(attributes: Attributes, name: string): Partial<StepFacts> {
  if (attributes[`${METADATA}langgraph_step`] === undefined) return {};
  if (attributes[`${METADATA}langgraph_checkpoint_ns`] === undefined) return {};
  const metadata: LangGraphMetadata = {};
  for (const key of GRAPH_KEYS) {
    const value = attributes[METADATA + key];
    if (value !== undefined) metadata[key] = value;
  }
  const { framework, node, superstep, threadId } = readLangGraphMetadata(metadata, name);
  return { framework, node, superstep, threadId };
}

function readModelCall(attributes: Attributes): Partial<StepFacts> {
  return {
    model: textAt(attributes, 'langfuse.observation.model.name'),
    tokens: readLangfuseUsage(jsonAt(attributes, 'langfuse.observation.usage_details')),
    costUsd: readLangfuseCost(jsonAt(attributes, 'langfuse.observation.cost_details')),
  };
}

/** Langfuse records a failure as a level and leaves the span status unset; a warning is not a failure. */
function readFailure(attributes: Attributes): Partial<StepFacts> {
  if (textAt(attributes, 'langfuse.observation.level')?.toUpperCase() !== 'ERROR') return {};
  return { error: readErrorText(textAt(attributes, 'langfuse.observation.status_message') ?? ''), hasFailed: true };
}

function readContents(span: Span, kind: StepKind | undefined, facts: Partial<StepFacts>): void {
  const { attributes } = span;
  const given = jsonAt(attributes, 'langfuse.observation.input') ?? jsonAt(attributes, 'langfuse.trace.input');
  const returned = jsonAt(attributes, 'langfuse.observation.output') ?? jsonAt(attributes, 'langfuse.trace.output');
  if (kind === 'tool') {
    facts.tool = { id: null, name: span.name, arguments: unwrapArguments(given ?? null), result: returned ?? null };
    return;
  }
  if (given !== undefined) {
    const { text, messages, task } = readIoValue(given);
    Object.assign(facts, { input: text, inputMessages: messages, task });
  }
  if (returned === undefined) return;
  const { text, messages } = readIoValue(returned);
  Object.assign(facts, { output: text, outputMessages: messages.length > 0 ? messages : answerOf(kind, text) });
  if (kind === 'retrieval') facts.documents = readDocuments(returned);
}

/** A model's answer sent as plain text is an assistant message. */
function answerOf(kind: StepKind | undefined, text: string): StepFacts['outputMessages'] {
  if (kind !== 'llm' || text === '') return [];
  return [{ role: 'assistant', content: text, name: null, toolCalls: [], toolCallId: null }];
}
