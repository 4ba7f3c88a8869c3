import type { Json } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';
import type { Message, StepKind, ToolCall } from '../../core/trace.ts';
import { countAt, entryOf, hasKeyUnder, jsonAt, jsonOrText, textAt, textsAt } from './attribute-values.ts';
import { readIoValue } from './io-value.ts';
import { readMessages, toMessage } from './messages.ts';
import { readMessageEvents } from './otel-message-events.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** OpenTelemetry's GenAI conventions, current and deprecated (semantic-conventions-genai, "Development"). */
export const readOtelGenAi: FactsReader = (span) => {
  const { attributes } = span;
  if (!hasKeyUnder(attributes, 'gen_ai.', 'llm.usage.') && span.events.length === 0) return null;
  const operation = textAt(attributes, 'gen_ai.operation.name');
  const facts: Partial<StepFacts> = {
    ...readIdentity(attributes),
    kind: entryOf(KINDS, operation),
    agent: textAt(attributes, 'gen_ai.agent.name') ?? agentOfSpanName(span, operation),
    tokens: readTokens(attributes),
    costUsd: countAt(attributes, 'gen_ai.usage.cost', 'gen_ai.cost.total_cost'),
    finishReasons: textsAt(attributes, 'gen_ai.response.finish_reasons'),
    toolDeclarations: textsOf(attributes['gen_ai.tool.definitions'] ?? attributes['gen_ai.request.tools']),
    framework:
      operation === 'agent_step' ? 'vercel-ai' : entryOf(FRAMEWORK_SYSTEMS, textAt(attributes, 'gen_ai.system')),
    runName:
      textAt(attributes, 'gen_ai.workflow.name') ??
      (operation === 'invoke_agent' ? textAt(attributes, 'gen_ai.agent.name') : undefined),
  };
  const handoff = textAt(attributes, 'gen_ai.handoff.to_agent', 'gen_ai.handoff.to_agent.name');
  if (handoff !== undefined) facts.goto = [handoff];
  readTool(attributes, operation, facts);
  readContent(span, facts);
  return facts;
};

const KINDS: Record<string, StepKind> = {
  chat: 'llm',
  completion: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  embeddings: 'embedding',
  retrieval: 'retrieval',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'other',
  invoke_workflow: 'chain',
  conversation: 'chain',
  agent_step: 'chain',
  plan: 'chain',
  handoff: 'message',
  guardrail: 'guardrail',
};

/** Frameworks that send their own name as the provider. */
const FRAMEWORK_SYSTEMS: Record<string, string> = {
  langchain: 'langchain',
  Langchain: 'langchain',
  langgraph: 'langgraph',
  crewai: 'crewai',
  autogen: 'autogen',
  ag2: 'autogen',
  openai_agents: 'openai-agents',
  'openai-agents': 'openai-agents',
  llama_index: 'llamaindex',
  haystack: 'haystack',
};

function readIdentity(attributes: Attributes): Partial<StepFacts> {
  const system = textAt(attributes, 'gen_ai.system');
  const provider =
    textAt(attributes, 'gen_ai.provider.name') ??
    (entryOf(FRAMEWORK_SYSTEMS, system) === undefined ? system : undefined);
  const conversation = textAt(attributes, 'gen_ai.conversation.id');
  return {
    model: textAt(attributes, 'gen_ai.request.model', 'gen_ai.response.model'),
    provider: provider === undefined ? undefined : plainProvider(provider),
    threadId: conversation,
    sessionId: textAt(attributes, 'session.id') ?? conversation,
  };
}

const API_SUFFIXES = new Set(['chat', 'responses', 'completion', 'messages', 'embedding', 'generative-ai']);

/** Vercel sends provider and API (`openai.chat`); OTel's own `aws.bedrock` is unchanged. */
export function plainProvider(provider: string): string {
  const dot = provider.lastIndexOf('.');
  return dot > 0 && API_SUFFIXES.has(provider.slice(dot + 1)) ? provider.slice(0, dot) : provider;
}

function agentOfSpanName(span: Span, operation: string | undefined): string | undefined {
  if (operation !== 'invoke_agent' || !span.name.startsWith('invoke_agent ')) return undefined;
  const name = span.name.slice('invoke_agent '.length).trim();
  return name === textAt(span.attributes, 'gen_ai.request.model') ? undefined : name;
}

function readTokens(attributes: Attributes): StepFacts['tokens'] {
  return {
    input: countAt(attributes, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.usage.prompt_tokens'),
    output: countAt(
      attributes,
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'llm.usage.completion_tokens',
    ),
    total: countAt(attributes, 'gen_ai.usage.total_tokens', 'llm.usage.total_tokens'),
    cacheRead: countAt(attributes, 'gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'),
    cacheWrite: countAt(
      attributes,
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
    ),
    reasoning: countAt(attributes, 'gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'),
  };
}

function textsOf(value: Attributes[string] | undefined): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

function readTool(attributes: Attributes, operation: string | undefined, facts: Partial<StepFacts>): void {
  const name = textAt(attributes, 'gen_ai.tool.name');
  if (name === undefined || (operation !== undefined && operation !== 'execute_tool')) return;
  const given = textAt(attributes, 'gen_ai.tool.call.arguments', 'gen_ai.tool.arguments');
  const returned = jsonAt(attributes, 'gen_ai.tool.call.result') ?? jsonAt(attributes, 'gen_ai.tool.message');
  facts.kind = 'tool';
  facts.tool = {
    id: textAt(attributes, 'gen_ai.tool.call.id') ?? null,
    name,
    arguments: given === undefined ? (jsonAt(attributes, 'gen_ai.tool.call.arguments') ?? null) : jsonOrText(given),
    result: returned ?? null,
  } satisfies ToolCall;
}

function readContent(span: Span, facts: Partial<StepFacts>): void {
  const { attributes } = span;
  const events = span.events.length > 0 ? readMessageEvents(span.events) : { input: [], output: [] };
  const input = firstMessages(
    messagesAt(attributes, 'gen_ai.input.messages', 'user'),
    readNumbered(attributes, 'gen_ai.prompt', 'user'),
    events.input,
  );
  const output = firstMessages(
    messagesAt(attributes, 'gen_ai.output.messages', 'assistant'),
    readNumbered(attributes, 'gen_ai.completion', 'assistant'),
    events.output,
  );
  facts.inputMessages = withInstructions(attributes, input);
  facts.outputMessages = output;
  if (input.length === 0) readWholeText(attributes['gen_ai.prompt'], 'input', facts);
  if (output.length === 0) readWholeText(attributes['gen_ai.completion'], 'output', facts);
}

function firstMessages(...candidates: Message[][]): Message[] {
  return candidates.find((messages) => messages.length > 0) ?? [];
}

function messagesAt(attributes: Attributes, key: string, role: string): Message[] {
  const json = jsonAt(attributes, key);
  return json === undefined ? [] : readMessages(json, role);
}

function withInstructions(attributes: Attributes, messages: Message[]): Message[] {
  const instructions = jsonAt(attributes, 'gen_ai.system_instructions');
  if (instructions === undefined || messages[0]?.role === 'system') return messages;
  const body = Array.isArray(instructions) ? { role: 'system', content: instructions } : instructions;
  return [...readMessages(body, 'system'), ...messages];
}

/** The oldest form: one attribute for the whole prompt, as text or as JSON of any framework. */
function readWholeText(
  value: Attributes[string] | undefined,
  side: 'input' | 'output',
  facts: Partial<StepFacts>,
): void {
  if (value === undefined || value === null || value === '') return;
  const io = readIoValue(value);
  facts[side] = io.text;
  if (side === 'input') facts.task = io.task;
  if (io.messages.length > 0) facts[side === 'input' ? 'inputMessages' : 'outputMessages'] = io.messages;
}

/** `gen_ai.prompt.N.role/.content/.tool_calls.M.*`, numbered without gaps. */
function readNumbered(attributes: Attributes, prefix: string, defaultRole: string): Message[] {
  const messages: Message[] = [];
  for (let n = 0; ; n++) {
    const key = `${prefix}.${n}`;
    const role = textAt(attributes, `${key}.role`);
    const content = attributes[`${key}.content`];
    const toolCalls = readNumberedCalls(attributes, `${key}.tool_calls`);
    if (role === undefined && content === undefined && toolCalls.length === 0) return messages;
    const [message] = readMessages({ role: role ?? defaultRole, content: contentOf(content) }, defaultRole);
    const toolCallId = textAt(attributes, `${key}.tool_call_id`) ?? null;
    messages.push({ ...(message ?? toMessage(role ?? defaultRole, '')), toolCalls, toolCallId });
  }
}

/** Parts may be sent as JSON text; a plain text that happens to be JSON stays a text. */
function contentOf(content: Attributes[string] | undefined): Json {
  if (typeof content !== 'string') return content ?? '';
  return content.startsWith('[{') ? jsonOrText(content) : content;
}

function readNumberedCalls(attributes: Attributes, prefix: string): ToolCall[] {
  const calls: ToolCall[] = [];
  for (let n = 0; ; n++) {
    const name = textAt(attributes, `${prefix}.${n}.name`, `${prefix}.${n}.function.name`);
    if (name === undefined) return calls;
    const given = textAt(attributes, `${prefix}.${n}.arguments`, `${prefix}.${n}.function.arguments`);
    calls.push({
      id: textAt(attributes, `${prefix}.${n}.id`) ?? null,
      name,
      arguments: given === undefined ? null : jsonOrText(given),
      result: null,
    });
  }
}
