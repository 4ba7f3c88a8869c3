import type { Json } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { entryOf, jsonAt, textAt } from './attribute-values.ts';
import { readIoValue, unwrapArguments } from './io-value.ts';
import { gotoOf, type LangGraphMetadata, readLangGraphMetadata } from './langchain-values.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** Traceloop's OpenLLMetry. `traceloop.workflow.name` is ignored: inside a nested agent it contains the agent's name. */
export const readOpenLlmetry: FactsReader = ({ name, attributes }) => {
  const spanKind = textAt(attributes, 'traceloop.span.kind');
  const entity = textAt(attributes, 'traceloop.entity.name');
  if (spanKind === undefined && entity === undefined && !('traceloop.workflow.name' in attributes)) return null;
  const kind = entryOf(KINDS, spanKind);
  const facts: Partial<StepFacts> = {
    framework: 'traceloop',
    kind,
    agent: kind === 'agent' ? entity : undefined,
    runName: spanKind === 'workflow' ? entity : undefined,
    sessionId: textAt(attributes, ...association('session_id', 'sessionId', 'conversation_id')),
    threadId: textAt(attributes, ...association('thread_id', 'threadId')),
  };
  if (`${ASSOCIATION}langgraph_node` in attributes) {
    const graph = readLangGraphMetadata(graphMetadata(attributes), entity ?? name);
    Object.assign(facts, graph, { agent: facts.agent ?? graph.agent });
  }
  readIo(attributes, kind, entity, facts);
  return facts;
};

const ASSOCIATION = 'traceloop.association.properties.';

const KINDS: Record<string, StepKind> = {
  workflow: 'chain',
  task: 'chain',
  agent: 'agent',
  tool: 'tool',
  handoff: 'message',
  guardrail: 'guardrail',
};

function association(...names: string[]): string[] {
  return names.map((name) => ASSOCIATION + name);
}

function graphMetadata(attributes: Attributes): LangGraphMetadata {
  const metadata: { [key: string]: Json } = {};
  for (const key of ['langgraph_node', 'langgraph_step', 'langgraph_checkpoint_ns', 'thread_id', 'checkpoint_id']) {
    const value = attributes[ASSOCIATION + key];
    if (value !== undefined) metadata[key] = value;
  }
  return metadata;
}

function readIo(
  attributes: Attributes,
  kind: StepKind | undefined,
  entity: string | undefined,
  facts: Partial<StepFacts>,
): void {
  const rawInput = attributes['traceloop.entity.input'];
  const rawOutput = attributes['traceloop.entity.output'];
  if (kind === 'tool') {
    facts.tool = {
      id: null,
      name: entity ?? '',
      arguments: unwrapArguments(jsonAt(attributes, 'traceloop.entity.input') ?? null),
      result: jsonAt(attributes, 'traceloop.entity.output') ?? null,
    };
    return;
  }
  const input = rawInput === undefined ? undefined : readIoValue(rawInput);
  const output = rawOutput === undefined ? undefined : readIoValue(rawOutput);
  facts.input = input?.text;
  facts.task = input?.task;
  facts.output = output?.text;
  facts.goto = gotoOf(output?.json);
}
