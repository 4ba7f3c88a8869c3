import { writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { RetrievedDocument } from '../../core/trace.ts';
import { errorFallbackOf } from '../dify/error-fallback.ts';
import { roundsOf } from '../dify/rounds.ts';
import { asCount, asText, jsonAt, toText } from './attribute-values.ts';
import { toMessage } from './messages.ts';
import { roundsIn } from './runtime-facts.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/**
 * Dify's own tracing, as sent by its Phoenix provider: OpenInference spans named only by the node type. The node's identity
 * is in `metadata`, as JSON text or as a nested map.
 */
export const readDify: FactsReader = ({ attributes }) => {
  if (attributes.dify_trace_id !== undefined)
    return { framework: 'dify', runName: asText(attributes.dify_project_name) };
  const metadata = jsonAt(attributes, 'metadata');
  if (!isJsonObject(metadata)) return null;
  const type = asText(metadata.node_type);
  const isNode = type !== undefined && (metadata.node_status ?? metadata.workflow_run_id) !== undefined;
  if (!isNode && asText(metadata.created_from) !== 'Dify') return null;
  const input = jsonAt(attributes, 'input.value');
  const output = jsonAt(attributes, 'output.value');
  return isNode ? nodeFacts(type, metadata, input, output) : runFacts(metadata, input);
};

/** The run itself; `sys.query` is a chat's question. */
function runFacts(metadata: JsonObject, input: Json | undefined): Partial<StepFacts> {
  const question = isJsonObject(input) ? asText(input['sys.query']) : undefined;
  return { framework: 'dify', task: question ?? asText(metadata.query) };
}

function nodeFacts(
  type: string,
  metadata: JsonObject,
  input: Json | undefined,
  output: Json | undefined,
): Partial<StepFacts> {
  // The exporter sends a node's title as the name of an app.
  const title = asText(metadata.node_name) ?? asText(metadata.app_name) ?? type;
  const errorFallback = errorFallbackOf({ ...metadata, outputs: output ?? null }) ?? undefined;
  const facts: Partial<StepFacts> = { framework: 'dify', node: title, error: failureOf(metadata), errorFallback };
  const rounds = roundsOf(type, {
    ...metadata,
    inputs: input ?? null,
    outputs: output ?? null,
    execution_metadata: metadata,
  });
  facts.rounds = roundsIn(rounds);
  facts.round = asCount(metadata.iteration_index) ?? asCount(metadata.loop_index);
  if (type === 'agent') facts.agent = title;
  if (type === 'tool') facts.tool = { id: null, name: title, arguments: input ?? null, result: output ?? null };
  if (type === 'http-request') {
    facts.kind = 'tool';
    facts.tool = { id: null, name: title, arguments: input ?? null, result: output ?? null };
  }
  if (!isJsonObject(output)) return facts;
  if (type === 'llm' && typeof output.text === 'string')
    facts.outputMessages = [toMessage('assistant', output.text, {})];
  if (type === 'knowledge-retrieval') facts.documents = documentsOf(output.result);
  return facts;
}

/** Failure of a node whose own branch handled it. The span is sent as a success although the node failed. */
function failureOf(metadata: JsonObject): StepFacts['error'] | undefined {
  const status = asText(metadata.node_status);
  if (status !== 'failed' && status !== 'exception') return undefined;
  const message = asText(metadata.status_message) ?? asText(metadata.error);
  return { type: '', message: message ?? writtenError('endedAs', status) };
}

/** `[{content, title, metadata: {score, segment_id}}]` */
function documentsOf(result: Json | undefined): RetrievedDocument[] {
  return (Array.isArray(result) ? result : []).filter(isJsonObject).map((found) => {
    const about = isJsonObject(found.metadata) ? found.metadata : {};
    return {
      id: asText(about.segment_id) ?? null,
      content: toText(found.content),
      score: asCount(about.score) ?? null,
    };
  });
}
