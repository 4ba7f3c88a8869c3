import { isJsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import type { Message, StepKind, ToolCall } from '../../core/trace.ts';
import { countAt, jsonAt, jsonOrText, textAt } from './attribute-values.ts';
import { lastContent, readMessages, readToolCall, toMessage } from './messages.ts';
import { plainProvider } from './otel-gen-ai.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** Vercel's AI SDK up to 6 and the legacy telemetry of 7 (`ai.*`); 7's own telemetry is OTel GenAI. */
export const readVercelAi: FactsReader = ({ attributes }) => {
  const operation = textAt(attributes, 'ai.operationId');
  if (operation === undefined) return null;
  const provider = textAt(attributes, 'ai.model.provider');
  const agent = textAt(attributes, 'ai.telemetry.functionId', 'resource.name');
  const facts: Partial<StepFacts> = {
    framework: 'vercel-ai',
    kind: kindOf(operation),
    agent,
    runName: agent,
    model: textAt(attributes, 'ai.model.id', 'ai.response.model'),
    provider: provider === undefined ? undefined : plainProvider(provider),
    tokens: readTokens(attributes),
    finishReasons: [textAt(attributes, 'ai.response.finishReason')].filter((reason) => reason !== undefined),
    sessionId: textAt(attributes, 'ai.telemetry.metadata.sessionId', 'ai.telemetry.metadata.session_id'),
    threadId: textAt(attributes, 'ai.telemetry.metadata.threadId', 'ai.telemetry.metadata.thread_id'),
    toolDeclarations: readDeclarations(attributes),
  };
  if (operation === 'ai.toolCall') facts.tool = readTool(attributes);
  else readContent(attributes, facts);
  return facts;
};

function kindOf(operation: string): StepKind {
  if (operation === 'ai.toolCall') return 'tool';
  if (operation.endsWith('.doEmbed')) return 'embedding';
  if (operation.endsWith('.doGenerate') || operation.endsWith('.doStream')) return 'llm';
  return operation.startsWith('ai.embed') ? 'chain' : 'agent';
}

function readTokens(attributes: Attributes): StepFacts['tokens'] {
  return {
    input: countAt(attributes, 'ai.usage.inputTokens', 'ai.usage.promptTokens', 'ai.usage.tokens'),
    output: countAt(attributes, 'ai.usage.outputTokens', 'ai.usage.completionTokens'),
    total: countAt(attributes, 'ai.usage.totalTokens'),
    cacheRead: countAt(attributes, 'ai.usage.cachedInputTokens', 'ai.usage.inputTokenDetails.cacheReadTokens'),
    cacheWrite: countAt(attributes, 'ai.usage.inputTokenDetails.cacheWriteTokens'),
    reasoning: countAt(attributes, 'ai.usage.reasoningTokens', 'ai.usage.outputTokenDetails.reasoningTokens'),
  };
}

function readDeclarations(attributes: Attributes): string[] {
  const tools = attributes['ai.prompt.tools'];
  if (!Array.isArray(tools)) return [];
  return tools.map((tool) => (typeof tool === 'string' ? tool : JSON.stringify(tool)));
}

function readTool(attributes: Attributes): ToolCall {
  const given = textAt(attributes, 'ai.toolCall.args', 'ai.toolCall.input');
  const returned = jsonAt(attributes, 'ai.toolCall.result') ?? jsonAt(attributes, 'ai.toolCall.output');
  return {
    id: textAt(attributes, 'ai.toolCall.id') ?? null,
    name: textAt(attributes, 'ai.toolCall.name') ?? '',
    arguments: given === undefined ? null : jsonOrText(given),
    result: returned ?? null,
  };
}

function readContent(attributes: Attributes, facts: Partial<StepFacts>): void {
  facts.inputMessages = readPrompt(attributes);
  const calls = jsonAt(attributes, 'ai.response.toolCalls');
  const text = textAt(attributes, 'ai.response.text', 'ai.response.object') ?? '';
  const toolCalls = Array.isArray(calls) ? calls.filter(isJsonObject).map(readToolCall) : [];
  if (text !== '' || toolCalls.length > 0) facts.outputMessages = [toMessage('assistant', text, { toolCalls })];
  const value = textAt(attributes, 'ai.value');
  facts.input = value ?? lastContent(facts.inputMessages);
  facts.output = text;
}

/** The inner call sends messages; the outer one sends the caller's input: `{system, prompt}` or `{system, messages}`. */
function readPrompt(attributes: Attributes): Message[] {
  const messages = jsonAt(attributes, 'ai.prompt.messages');
  if (messages !== undefined) return readMessages(messages);
  const prompt = jsonAt(attributes, 'ai.prompt');
  if (!isJsonObject(prompt)) return readMessages(prompt);
  const system = typeof prompt.system === 'string' && prompt.system !== '' ? [toMessage('system', prompt.system)] : [];
  return [...system, ...readMessages(prompt.messages ?? prompt.prompt)];
}
