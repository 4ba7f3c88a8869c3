import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';

/** A tool run as a tool call: LangChain wraps arguments as text under `input` and the result in a tool message. */
export function toolRunAttributes(run: JsonObject): Record<string, Json> {
  const answer = answerOf(run);
  const message = toolMessageOf(answer);
  const isCommand = isJsonObject(answer) && answer.lg_name === 'Command';
  const callId = message?.tool_call_id;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': typeof run.name === 'string' ? run.name : null,
    'gen_ai.tool.call.id': typeof callId === 'string' ? callId : null,
    'gen_ai.tool.call.arguments': textOf(argumentsOf(run.inputs)),
    'gen_ai.tool.call.result': textOf(message?.content ?? answer),
    // A handoff tool returns a command that names the next node.
    'gen_ai.completion': isCommand ? JSON.stringify(answer) : null,
  };
}

/** The error that a tool returned instead of throwing: its message has an error status. */
export function failureOfTool(run: JsonObject): string | null {
  if (run.run_type !== 'tool') return null;
  const message = toolMessageOf(answerOf(run));
  return message?.status === 'error' ? textOf(message.content ?? null) || PLACEHOLDER_ERROR.bare : null;
}

function argumentsOf(inputs: Json | undefined): Json {
  if (!isJsonObject(inputs)) return inputs ?? null;
  if (Object.keys(inputs).length !== 1 || typeof inputs.input !== 'string') return inputs;
  const parsed = parseJson(inputs.input);
  return isJsonObject(parsed) ? parsed : inputs;
}

function answerOf(run: JsonObject): Json {
  const { outputs } = run;
  return isJsonObject(outputs) && 'output' in outputs ? (outputs.output ?? null) : (outputs ?? null);
}

/** LangChain's message, as a constructor or plain. */
function toolMessageOf(answer: Json): JsonObject | null {
  const body = isJsonObject(answer) && isJsonObject(answer.kwargs) ? answer.kwargs : answer;
  return isJsonObject(body) && 'tool_call_id' in body ? body : null;
}

function textOf(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  return JSON.stringify(value);
}
