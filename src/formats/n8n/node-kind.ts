import type { StepKind } from '../../core/trace.ts';
import type { Execution, NodeRun } from './execution-shape.ts';

/** Kind of a node that is attached to an AI node, by the type of its connection. */
const ATTACHED_KINDS: Readonly<Record<string, StepKind>> = {
  ai_languageModel: 'llm',
  ai_tool: 'tool',
  ai_agent: 'agent',
  ai_embedding: 'embedding',
  ai_retriever: 'retrieval',
  ai_vectorStore: 'retrieval',
  ai_reranker: 'retrieval',
};

/** Core nodes that only move or transform items, without external calls. */
const SHAPING = new Set(
  (
    'set code function functionItem if switch filter merge splitInBatches splitOut itemLists aggregate summarize sort limit ' +
    'removeDuplicates renameKeys noOp wait stopAndError dateTime html markdown xml crypto compareDatasets respondToWebhook ' +
    'executeWorkflow executionData moveBinaryData convertToFile extractFromFile form editImage compression debugHelper ' +
    'evaluation aiTransform stickyNote'
  ).split(' '),
);

const ENTRY = /trigger$|^(?:webhook|start|cron|interval|emailReadImap)$/i;

/** `n8n-nodes-base.httpRequest` → `httpRequest`. */
export function shortType(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

/** Whether the platform starts workflows at nodes of this type. */
export function isEntryType(type: string): boolean {
  return ENTRY.test(shortType(type));
}

const CLOCK = /^(?:schedule|cron|interval|manual)/i;

/** Whether the run has no request: a schedule or a button started it. */
export function isStartWithoutRequest(type: string): boolean {
  return CLOCK.test(shortType(type));
}

/** `ai_tool` and similar types for a node attached to another; null for one in the main flow. */
export function attachmentOf(run: NodeRun, execution: Execution): string | null {
  const connection = [...Object.keys(run.data), ...Object.keys(run.inputOverride)].find((key) => key.startsWith('ai_'));
  if (connection !== undefined) return connection;
  const edges = execution.connections.get(run.node) ?? [];
  // A failed run contains no data: only its connections identify it.
  const isAttached = edges.length > 0 && edges.every(({ kind }) => kind.startsWith('ai_'));
  return isAttached && !('main' in run.data) ? edges[0]!.kind : null;
}

export function kindOf(run: NodeRun, execution: Execution): StepKind {
  const attachment = attachmentOf(run, execution);
  if (attachment !== null) return ATTACHED_KINDS[attachment] ?? 'other';
  return kindOfType(execution.nodes.get(run.node)?.type ?? '');
}

/** Kind of a node in the main flow: a service call counts as a tool; a chain is one of LangChain's, which answers. */
export function kindOfType(type: string): StepKind {
  const short = shortType(type);
  if (short === 'chatTrigger') return 'message';
  if (isEntryType(type)) return 'other';
  if (type.includes('langchain')) return langChainKind(short);
  return type === '' || SHAPING.has(short) ? 'other' : 'tool';
}

function langChainKind(short: string): StepKind {
  if (short === 'agent' || short === 'openAiAssistant') return 'agent';
  if (short.startsWith('vectorStore') || short.startsWith('retriever')) return 'retrieval';
  if (ATTACHED_TYPE.test(short)) return attachedKind(short);
  return VENDOR_NODES.has(short) ? 'llm' : 'chain';
}

/** Types of nodes that are attached to an AI node: models, tools, memories and similar. */
const ATTACHED_TYPE =
  /^(?:lm[A-Z]|tool[A-Z]|embeddings|memory|outputParser|document[A-Z]|textSplitter|reranker|modelSelector)|Tool$/;

/** Whether nodes of this type are attached to an AI node, if no declared graph shows it. */
export function isAttachedType(type: string): boolean {
  return ATTACHED_TYPE.test(shortType(type));
}

function attachedKind(short: string): StepKind {
  if (short.startsWith('lm')) return 'llm';
  if (short.startsWith('embeddings')) return 'embedding';
  if (short.startsWith('reranker')) return 'retrieval';
  return short.startsWith('tool') || short.endsWith('Tool') ? 'tool' : 'other';
}

/** Nodes that call a model themselves; agents and chains have attached models. */
const VENDOR_NODES = new Set(['openAi', 'anthropic', 'googleGemini', 'ollama', 'mistralAi', 'cohere']);
