import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import type { WorkflowGraph } from '../../core/trace.ts';
import { countAt, hasKeyUnder, jsonAt, textAt } from './attribute-values.ts';
import { plainState } from './langchain-values.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** The documented keys of the service: `graphruntime.*`, actually sent as `langgraph.*`, and four `gen_ai.*` keys. */
export const readGraphRuntime: FactsReader = ({ attributes }) => {
  if (!hasKeyUnder(attributes, 'graphruntime.', 'langgraph.', 'gen_ai.', 'misstep.')) return null;
  const node = textAt(attributes, 'graphruntime.node.name', 'langgraph.node.name', 'langgraph.node');
  const threadId = textAt(attributes, 'graphruntime.thread_id', 'langgraph.thread_id');
  const facts: Partial<StepFacts> = {
    node,
    threadId,
    checkpointId: textAt(attributes, 'graphruntime.checkpoint_id', 'langgraph.checkpoint_id'),
    stateAfter: readState(attributes),
    agent: textAt(attributes, 'gen_ai.agent.name'),
    model: textAt(attributes, 'gen_ai.request.model'),
    graph: readGraph(jsonAt(attributes, 'graphruntime.graph') ?? jsonAt(attributes, 'langgraph.graph')),
    framework:
      textAt(attributes, 'misstep.framework') ??
      (hasKeyUnder(attributes, 'graphruntime.', 'langgraph.') ? 'langgraph' : undefined),
  };
  const input = countAt(attributes, 'gen_ai.usage.prompt_tokens');
  const output = countAt(attributes, 'gen_ai.usage.completion_tokens');
  if (input !== undefined || output !== undefined) facts.tokens = { input, output };
  return facts;
};

function readState(attributes: Attributes): Json | undefined {
  const state = jsonAt(attributes, 'graphruntime.state') ?? jsonAt(attributes, 'langgraph.state');
  return state === undefined ? undefined : plainState(state);
}

/**
 * A declared graph: `{nodes: [{name, type?, isEntry?, callsOut?, isGuarded?, hasExit?, pauseMs?}], edges: [{from, to}],
 * hasErrorHandler?}`; no entry if there is none.
 */
function readGraph(json: Json | undefined): WorkflowGraph | undefined {
  if (!isJsonObject(json) || !Array.isArray(json.nodes) || !Array.isArray(json.edges)) return undefined;
  const nodes = json.nodes.filter(isJsonObject).map((node) => ({
    name: String(node.name ?? node.id ?? ''),
    type: String(node.type ?? ''),
    isEntry: node.isEntry === true || node.name === '__start__' || node.id === '__start__',
    ...flagsOf(node, ['callsOut', 'isGuarded', 'hasExit']),
    ...(typeof node.pauseMs === 'number' && node.pauseMs > 0 ? { pauseMs: node.pauseMs } : {}),
  }));
  const edges = json.edges.filter(isJsonObject).map((edge) => ({
    from: String(edge.from ?? edge.source ?? ''),
    to: String(edge.to ?? edge.target ?? ''),
  }));
  return { nodes, edges, ...flagsOf(json, ['hasErrorHandler']) };
}

/** The flags that are present. */
function flagsOf<K extends string>(value: JsonObject, names: readonly K[]): { [key in K]?: boolean } {
  const flags: { [key in K]?: boolean } = {};
  for (const name of names) {
    const flag = value[name];
    if (typeof flag === 'boolean') flags[name] = flag;
  }
  return flags;
}
