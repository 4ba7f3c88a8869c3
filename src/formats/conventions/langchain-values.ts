import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { asCount, asText } from './attribute-values.ts';
import { isLangChainConstructor, looksLikeMessages, readMessages } from './messages.ts';
import type { StepFacts } from './step-facts.ts';

/** LangGraph's bookkeeping of one span, in any attribute: `metadata` JSON or one attribute per key. */
export interface LangGraphMetadata {
  langgraph_node?: Json;
  langgraph_step?: Json;
  checkpoint_ns?: Json;
  langgraph_checkpoint_ns?: Json;
  checkpoint_id?: Json;
  thread_id?: Json;
  session_id?: Json;
  lc_agent_name?: Json;
  ls_integration?: Json;
  ls_provider?: Json;
  ls_model_name?: Json;
}

/** Nodes of the runtime itself and of its prebuilt agents that represent no agent. */
const HIDDEN_NODES = new Set(['__start__', '__end__', 'tools', 'tool_node', 'ToolNode']);

/** Spans inside a node also carry its metadata; only the span with the node's name is the visit. */
export function readLangGraphMetadata(metadata: LangGraphMetadata, spanName: string): Partial<StepFacts> {
  const node = asText(metadata.langgraph_node);
  const isVisit = node !== undefined && node === spanName;
  return {
    framework: frameworkOf(metadata, node),
    agent: agentOf(metadata, node),
    node: isVisit ? node : undefined,
    superstep: isVisit ? asCount(metadata.langgraph_step) : undefined,
    threadId: asText(metadata.thread_id),
    sessionId: asText(metadata.session_id),
    checkpointId: asText(metadata.checkpoint_id),
    provider: asText(metadata.ls_provider),
    model: asText(metadata.ls_model_name),
  };
}

function frameworkOf(metadata: LangGraphMetadata, node: string | undefined): string | undefined {
  if (node !== undefined || metadata.ls_integration === 'langgraph') return 'langgraph';
  return asText(metadata.ls_integration)?.startsWith('langchain') ? 'langchain' : undefined;
}

/** A subgraph's spans belong to the node of the outermost graph: `researcher:1f…|tools:8a…` is the researcher. */
function agentOf(metadata: LangGraphMetadata, node: string | undefined): string | undefined {
  const named = asText(metadata.lc_agent_name);
  if (named !== undefined) return named;
  const path = asText(metadata.langgraph_checkpoint_ns) ?? asText(metadata.checkpoint_ns);
  const outermost = path?.split('|', 1)[0]?.split(':', 1)[0] || node;
  return outermost === undefined || HIDDEN_NODES.has(outermost) ? undefined : outermost;
}

/** Target nodes of a `Command`; `Send` packets name their node. */
export function gotoOf(json: Json | undefined): string[] {
  if (typeof json === 'string') return gotoOfText(json);
  if (Array.isArray(json)) return json.flatMap(gotoOf);
  if (!isJsonObject(json) || json.goto === undefined) return [];
  if (json.lg_name !== undefined && json.lg_name !== 'Command') return [];
  const targets = Array.isArray(json.goto) ? json.goto : [json.goto];
  return targets
    .map((target) => asText(isJsonObject(target) ? target.node : target))
    .filter((target) => target !== undefined);
}

/** Python's tracer may send the command as text: `Command(update={…}, goto='writer')`. */
function gotoOfText(text: string): string[] {
  if (!text.startsWith('Command(')) return [];
  const target = /\bgoto='([^']{1,200})'/.exec(text)?.[1];
  return target === undefined ? [] : [target];
}

/** The fields a node wrote: its output, or the `update` of its command. */
function updateOf(json: Json): Json | undefined {
  if (!isJsonObject(json)) return undefined;
  if (json.lg_name === 'Command' || ('goto' in json && 'update' in json)) return json.update ?? {};
  return json;
}

/**
 * A graph state with its messages in plain form. Ids are omitted because the runtime assigns them late without changing the
 * message.
 */
export function plainState(state: Json): Json {
  if (!isJsonObject(state)) return state;
  const plain: JsonObject = {};
  for (const key of Object.keys(state)) plain[key] = plainField(state[key] as Json);
  return plain;
}

function plainField(value: Json): Json {
  const isMessages = Array.isArray(value)
    ? value.length > 0 && looksLikeMessages(value)
    : isLangChainConstructor(value);
  if (!isMessages) return value;
  const messages = readMessages(value).map((message) => {
    const plain: JsonObject = { role: message.role, content: message.content };
    if (message.name !== null) plain.name = message.name;
    if (message.toolCallId !== null) plain.tool_call_id = message.toolCallId;
    if (message.toolCalls.length > 0) {
      plain.tool_calls = message.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
    }
    return plain;
  });
  return Array.isArray(value) ? messages : (messages[0] ?? null);
}

/**
 * State of a graph in a chain's input and output. A node visit receives the state and writes fields of it; the span around
 * the visits ends with the whole state. Only the tree shows which of the two a span is.
 */
export function readGraphState(input: Json | undefined, output: Json | undefined): Partial<StepFacts> {
  const update = output === undefined ? undefined : updateOf(output);
  return {
    stateBefore: isJsonObject(input) ? plainState(input) : undefined,
    stateUpdate: isJsonObject(update) ? plainState(update) : undefined,
  };
}
