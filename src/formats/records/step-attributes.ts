import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Attributes, SpanStatus } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import type { PairedCall, PairedCalls } from './pair-calls.ts';
import type { EvaluationRecord, RecordStep } from './record-shape.ts';
import { textOfContent } from './requested-calls.ts';

/** Attributes of a step in OpenTelemetry's GenAI conventions; absent values have no key. */
export function stepAttributes(step: RecordStep, record: EvaluationRecord, paired: PairedCalls): Attributes {
  return withoutNulls({
    [MISSTEP.stepKind]: stepKind(step),
    [MISSTEP.stepIndex]: step.index,
    [MISSTEP.goto]: step.goto.length > 0 ? step.goto : null,
    [MISSTEP.state]: step.state === null ? null : JSON.stringify(step.state),
    'gen_ai.agent.name': step.agent,
    'error.type': step.error === null ? null : errorType(step.error),
    ...kindAttributes(step, record, paired),
  });
}

function kindAttributes(step: RecordStep, record: EvaluationRecord, paired: PairedCalls): Record<string, Json> {
  if (step.kind === 'llm') return llmAttributes(step, record, paired);
  if (step.kind === 'tool')
    return toolAttributes(paired.executed.get(step.index)!, step.error === null ? step.output : step.output || null);
  if (step.kind === 'message') return { 'gen_ai.output.messages': messages(step.role, [textPart(step.output)]) };
  return {
    'openinference.span.kind': step.spanKind ?? 'CHAIN',
    'gen_ai.operation.name': step.spanKind === 'AGENT' ? 'invoke_agent' : null,
    'input.value': step.input || null,
    'output.value': step.output || null,
  };
}

function llmAttributes(step: RecordStep, record: EvaluationRecord, paired: PairedCalls): Record<string, Json> {
  const { calls, prose } = paired.requested.get(step.index) ?? { calls: [], prose: step.output };
  const parts = [...(prose === '' ? [] : [textPart(prose)]), ...calls.map(callPart)];
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': step.model ?? record.model,
    'gen_ai.input.messages': inputMessages(step.input),
    'gen_ai.output.messages': parts.length === 0 ? null : messages('assistant', parts),
    'gen_ai.usage.input_tokens': step.tokensIn,
    'gen_ai.usage.output_tokens': step.tokensOut,
  };
}

/** `result` is null if the tool returned none. */
export function toolAttributes(call: PairedCall, result: string | null): Record<string, Json> {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.call.arguments': call.arguments === null ? null : asText(call.arguments),
    'gen_ai.tool.call.result': result,
  };
}

export function stepStatus(step: RecordStep): SpanStatus {
  return step.error === null ? { code: 0, message: '' } : { code: 2, message: step.error };
}

/** One message in the JSON form of the GenAI conventions. */
export function messages(role: string, parts: Json[]): string {
  return JSON.stringify([{ role, parts }]);
}

export function textPart(content: string): Json {
  return { type: 'text', content };
}

function callPart(call: PairedCall): Json {
  return { type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments };
}

function stepKind(step: RecordStep): StepKind {
  return step.kind === 'chain' && step.spanKind === 'AGENT' ? 'agent' : step.kind;
}

/** Input of a call: the messages of a chat request if the text is one, else the text as one user message. */
function inputMessages(input: string): string | null {
  if (input === '') return null;
  const request = parseJson(input);
  const sent = isJsonObject(request) && Array.isArray(request.messages) ? request.messages : request;
  if (!Array.isArray(sent) || !sent.every(isJsonObject)) return messages('user', [textPart(input)]);
  return JSON.stringify(
    sent.map((message) => ({
      role: typeof message.role === 'string' ? message.role : 'user',
      parts: [textPart(textOfContent(message.content))],
    })),
  );
}

/** `ValueError: …`, `smolagents.utils.AgentError: …`, or the exit status of a shell. */
function errorType(error: string): string {
  const exit = /^<returncode>(-?\d{1,6})</.exec(error)?.[1];
  if (exit !== undefined) return `exit_${exit}`;
  const named = /^[\w.]{1,200}(?=:)/.exec(error)?.[0];
  return named?.split('.').at(-1) || 'error';
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
