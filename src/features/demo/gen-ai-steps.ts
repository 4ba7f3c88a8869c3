import type { Json } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import type { RunRecorder, SpanFacts } from './run-recorder.ts';

/** One turn of a conversation: speaker and text. */
export type Turn = [role: 'system' | 'user' | 'assistant' | 'tool', text: string];

export interface ModelCall {
  model: string;
  input: Turn[];
  output: string;
  tokens: [input: number, output: number];
  /** A tool call in the answer. */
  calls?: { name: string; arguments: Json };
  ms?: number;
  error?: SpanFacts['error'];
}

export interface ToolUse {
  tool: string;
  arguments: Json;
  result?: Json;
  ms?: number;
  error?: SpanFacts['error'];
}

/** Spans in OpenTelemetry's conventions for generative AI. */
export function genAiSteps(run: RunRecorder) {
  return {
    agent(name: string, task: string, inside: () => void, answer = ''): void {
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': name,
        'gen_ai.input.messages': messages([['user', task]]),
        ...(answer === '' ? {} : { 'gen_ai.output.messages': messages([['assistant', answer]]) }),
      };
      run.span({ name: `invoke_agent ${name}`, attributes }, inside);
    },
    llm(agent: string, call: ModelCall): void {
      run.span({
        name: `chat ${call.model}`,
        kind: 3,
        ms: call.ms ?? 900 + 12 * call.tokens[1],
        attributes: modelAttributes(agent, call),
        ...(call.error ? { error: call.error } : {}),
      });
    },
    tool(agent: string, use: ToolUse): void {
      run.span({
        name: `execute_tool ${use.tool}`,
        ms: use.ms ?? 180,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.agent.name': agent,
          'gen_ai.tool.name': use.tool,
          'gen_ai.tool.call.arguments': JSON.stringify(use.arguments),
          ...(use.result === undefined ? {} : { 'gen_ai.tool.call.result': JSON.stringify(use.result) }),
        },
        ...(use.error ? { error: use.error } : {}),
      });
    },
  };
}

function modelAttributes(agent: string, { model, input, output, tokens, calls, error }: ModelCall): Attributes {
  const answer = {
    role: 'assistant',
    parts: [
      ...(output === '' ? [] : [{ type: 'text', content: output }]),
      ...(calls ? [{ type: 'tool_call', id: `call_${calls.name}`, name: calls.name, arguments: calls.arguments }] : []),
    ],
  };
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'gen_ai.agent.name': agent,
    'gen_ai.usage.input_tokens': tokens[0],
    'gen_ai.usage.output_tokens': tokens[1],
    'gen_ai.input.messages': messages(input),
    ...(error
      ? {}
      : {
          'gen_ai.output.messages': JSON.stringify([answer]),
          'gen_ai.response.finish_reasons': [calls ? 'tool_calls' : 'stop'],
        }),
  };
}

function messages(turns: readonly Turn[]): string {
  return JSON.stringify(turns.map(([role, text]) => ({ role, parts: [{ type: 'text', content: text }] })));
}
