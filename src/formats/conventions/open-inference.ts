import { isJsonObject, type Json } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';
import type { Message, RetrievedDocument, StepKind, ToolCall } from '../../core/trace.ts';
import { countAt, entryOf, jsonAt, jsonOrText, textAt } from './attribute-values.ts';
import { type IoValue, readIoValue, unwrapArguments } from './io-value.ts';
import { gotoOf, type LangGraphMetadata, readGraphState, readLangGraphMetadata } from './langchain-values.ts';
import { isLangChainConstructor, readMessages, toMessage } from './messages.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** Arize OpenInference (spec/semantic_conventions.md), with the additions of its LangChain and smolagents instrumentations. */
export const readOpenInference: FactsReader = (span) => {
  const { attributes } = span;
  const spanKind = textAt(attributes, 'openinference.span.kind')?.toUpperCase();
  if (spanKind === undefined && attributes['input.value'] === undefined && attributes['output.value'] === undefined) {
    return null;
  }
  const kind = isHandoff(span) ? undefined : entryOf(KINDS, spanKind);
  const facts: Partial<StepFacts> = {
    kind,
    agent: readAgent(span, kind),
    sessionId: textAt(attributes, 'session.id'),
    model: textAt(attributes, 'llm.model_name', 'embedding.model_name', 'reranker.model_name'),
    provider: textAt(attributes, 'llm.provider', 'llm.system'),
    tokens: readTokens(attributes),
    costUsd: countAt(attributes, 'llm.cost.total'),
    finishReasons: [textAt(attributes, 'llm.finish_reason')].filter((reason) => reason !== undefined),
    documents: readDocuments(attributes),
    inputMessages: readNumbered(attributes, 'llm.input_messages'),
    outputMessages: readNumbered(attributes, 'llm.output_messages'),
    toolDeclarations: readDeclarations(attributes, kind),
  };
  readMetadata(span, facts);
  readIo(span, kind, facts);
  return facts;
};

const KINDS: Record<string, StepKind> = {
  LLM: 'llm',
  CHAIN: 'chain',
  TOOL: 'tool',
  AGENT: 'agent',
  RETRIEVER: 'retrieval',
  RERANKER: 'retrieval',
  EMBEDDING: 'embedding',
  GUARDRAIL: 'guardrail',
  EVALUATOR: 'other',
  PROMPT: 'chain',
};

/** OpenAI Agents' handoffs are sent as tools; their own reader handles them. */
function isHandoff(span: Span): boolean {
  return span.name.startsWith('handoff to ') && span.attributes['tool.name'] === undefined;
}

const METHOD_SUFFIXES = ['.run', '.invoke', '.kickoff', '._execute_core', '.execute_task'];

/** Only the agent's own span defines its name; other spans inherit it. */
function readAgent(span: Span, kind: StepKind | undefined): string | undefined {
  const named = textAt(span.attributes, 'agent.name', 'agent_name');
  if (named !== undefined || kind !== 'agent') return named;
  const node = textAt(span.attributes, 'graph.node.name', 'graph.node.id');
  const suffix = METHOD_SUFFIXES.find((method) => span.name.endsWith(method));
  return node ?? (suffix ? span.name.slice(0, -suffix.length) : span.name);
}

function readTokens(attributes: Attributes): StepFacts['tokens'] {
  return {
    input: countAt(attributes, 'llm.token_count.prompt'),
    output: countAt(attributes, 'llm.token_count.completion'),
    total: countAt(attributes, 'llm.token_count.total'),
    cacheRead: countAt(attributes, 'llm.token_count.prompt_details.cache_read'),
    cacheWrite: countAt(attributes, 'llm.token_count.prompt_details.cache_write'),
    reasoning: countAt(attributes, 'llm.token_count.completion_details.reasoning'),
  };
}

function readMetadata(span: Span, facts: Partial<StepFacts>): void {
  const metadata = jsonAt(span.attributes, 'metadata');
  if (!isJsonObject(metadata)) return;
  const known = readLangGraphMetadata(metadata as LangGraphMetadata, span.name);
  for (const key of Object.keys(known) as (keyof StepFacts)[])
    Object.assign(facts, { [key]: facts[key] ?? known[key] });
  if (facts.framework === undefined && 'smolagents.max_steps' in span.attributes) facts.framework = 'smolagents';
}

function readIo(span: Span, kind: StepKind | undefined, facts: Partial<StepFacts>): void {
  const rawInput = span.attributes['input.value'];
  const rawOutput = span.attributes['output.value'];
  if (kind === 'tool') {
    readToolIo(span, rawInput, rawOutput, facts);
    return;
  }
  if (kind === 'llm' && facts.inputMessages?.length && facts.outputMessages?.length) return;
  const input = rawInput === undefined || rawInput === null ? undefined : readIoValue(rawInput);
  const output = rawOutput === undefined || rawOutput === null ? undefined : readIoValue(rawOutput);
  facts.input = kind === 'agent' ? (input?.task ?? input?.text) : input?.text;
  facts.output = output?.text;
  facts.task = input?.task;
  if (kind === 'agent' && input?.task !== undefined) facts.agent = managedName(input.task) ?? facts.agent;
  if (kind === 'llm') {
    if (!facts.inputMessages?.length) facts.inputMessages = input?.messages;
    if (!facts.outputMessages?.length) facts.outputMessages = answersOf(output);
    return;
  }
  facts.goto = gotoOf(output?.json);
  if (kind === 'chain') Object.assign(facts, readGraphState(input?.json, output?.json));
}

function answersOf(output: IoValue | undefined): Message[] {
  if (!output) return [];
  return output.messages.map((message) => (message.role === 'user' ? { ...message, role: 'assistant' } : message));
}

/** smolagents names a managed agent only in its prompt; its span has the name of the class. */
function managedName(task: string): string | undefined {
  return /^You're a helpful agent named '([^']{1,100})'/.exec(task)?.[1];
}

function readToolIo(
  span: Span,
  rawInput: Json | undefined,
  rawOutput: Json | undefined,
  facts: Partial<StepFacts>,
): void {
  const { attributes } = span;
  const given = rawInput === undefined ? (jsonAt(attributes, 'tool.parameters') ?? null) : rawInput;
  const answer = readToolAnswer(rawOutput ?? null);
  facts.tool = {
    id: textAt(attributes, 'tool_call.id', 'tool.id', 'tool.call_id') ?? answer.callId,
    name: textAt(attributes, 'tool.name', 'tool_call.function.name') ?? span.name,
    arguments: unwrapArguments(typeof given === 'string' ? jsonOrText(given) : given),
    result: answer.result,
  };
  if (answer.isError)
    facts.error = { type: 'ToolError', message: typeof answer.result === 'string' ? answer.result : '' };
  facts.goto = gotoOf(typeof rawOutput === 'string' ? jsonOrText(rawOutput) : rawOutput);
}

/** LangChain wraps a tool result in a tool message that also says whether the tool failed. */
function readToolAnswer(raw: Json): { result: Json; callId: string | null; isError: boolean } {
  const json = typeof raw === 'string' ? jsonOrText(raw) : raw;
  const inner = isJsonObject(json) && 'output' in json && Object.keys(json).length === 1 ? (json.output ?? null) : json;
  const isToolMessage =
    isLangChainConstructor(inner) || (isJsonObject(inner) && inner.type === 'tool' && 'content' in inner);
  if (!isToolMessage) return { result: inner, callId: null, isError: false };
  const [message] = readMessages(inner);
  const body = isLangChainConstructor(inner) ? inner.kwargs : inner;
  return {
    result: message?.content ?? '',
    callId: message?.toolCallId ?? null,
    isError: isJsonObject(body) && body.status === 'error',
  };
}

/** `llm.input_messages.N.message.*`, numbered without gaps. */
function readNumbered(attributes: Attributes, prefix: string): Message[] {
  const messages: Message[] = [];
  for (let n = 0; ; n++) {
    const key = `${prefix}.${n}.message`;
    const role = textAt(attributes, `${key}.role`);
    const content = attributes[`${key}.content`];
    if (role === undefined && content === undefined) return messages;
    messages.push(
      toMessage(role ?? 'user', typeof content === 'string' ? content : readContents(attributes, `${key}.contents`), {
        name: textAt(attributes, `${key}.name`) ?? null,
        toolCalls: readNumberedCalls(attributes, `${key}.tool_calls`),
        toolCallId: textAt(attributes, `${key}.tool_call_id`) ?? null,
      }),
    );
  }
}

function readContents(attributes: Attributes, prefix: string): string {
  const texts: string[] = [];
  for (let n = 0; ; n++) {
    const type = textAt(attributes, `${prefix}.${n}.message_content.type`);
    const text = textAt(attributes, `${prefix}.${n}.message_content.text`);
    if (type === undefined && text === undefined) return texts.join('\n');
    if (text !== undefined && type !== 'reasoning') texts.push(text);
  }
}

function readNumberedCalls(attributes: Attributes, prefix: string): ToolCall[] {
  const calls: ToolCall[] = [];
  for (let n = 0; ; n++) {
    const key = `${prefix}.${n}.tool_call`;
    const name = textAt(attributes, `${key}.function.name`);
    if (name === undefined) return calls;
    const given = textAt(attributes, `${key}.function.arguments`);
    calls.push({
      id: textAt(attributes, `${key}.id`) ?? null,
      name,
      arguments: given === undefined ? null : jsonOrText(given),
      result: null,
    });
  }
}

function readDocuments(attributes: Attributes): RetrievedDocument[] {
  const found = readDocumentsUnder(attributes, 'retrieval.documents');
  return found.length > 0 ? found : readDocumentsUnder(attributes, 'reranker.output_documents');
}

function readDocumentsUnder(attributes: Attributes, prefix: string): RetrievedDocument[] {
  const documents: RetrievedDocument[] = [];
  for (let n = 0; ; n++) {
    const key = `${prefix}.${n}.document`;
    const id = textAt(attributes, `${key}.id`) ?? null;
    const content = textAt(attributes, `${key}.content`);
    const score = countAt(attributes, `${key}.score`) ?? null;
    if (id === null && content === undefined && score === null) return documents;
    documents.push({ id, content: content ?? '', score });
  }
}

function readDeclarations(attributes: Attributes, kind: StepKind | undefined): string[] {
  const declared: string[] = [];
  for (let n = 0; ; n++) {
    const schema = attributes[`llm.tools.${n}.tool.json_schema`];
    if (typeof schema !== 'string') break;
    declared.push(schema);
  }
  const names = textAt(attributes, 'smolagents.tools_names');
  if (names !== undefined) declared.push(names);
  for (let n = 0; ; n++) {
    const agent = textAt(attributes, `smolagents.managed_agents.${n}.name`);
    if (agent === undefined) break;
    const about = textAt(attributes, `smolagents.managed_agents.${n}.description`) ?? '';
    declared.push(JSON.stringify({ name: agent, description: about }));
  }
  const name = textAt(attributes, 'tool.name');
  const description = textAt(attributes, 'tool.description');
  if (kind === 'tool' && name !== undefined && description !== undefined) {
    declared.push(JSON.stringify({ name, description, parameters: jsonAt(attributes, 'tool.parameters') ?? null }));
  }
  return declared;
}
