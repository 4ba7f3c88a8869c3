import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { SentLog } from '../log-bodies.ts';
import type { ScriptAnswer, ScriptCall, ScriptTurn, SessionScript } from './session-script.ts';
import { jsonLinesOf, logBodies, type SimulatedSession } from './simulated-session.ts';

const MODEL = 'gpt-5-codex';

export function codexSession(script: SessionScript): SimulatedSession {
  return { agent: 'codex', hooks: hooksOf(script), transcript: transcriptOf(script), logs: logsOf(script) };
}

const isPatch = ({ use }: ScriptCall) => use === 'edit';
const patchOf = ({ target, id }: ScriptCall) =>
  `*** Begin Patch\n*** Update File: ${target}\n@@\n-port\n+${id}\n*** End Patch`;
const commandOf = ({ use, target }: ScriptCall) => (use === 'read' ? `cat ${target}` : target);
/** As the model reads it: with lines of Codex before the output of the command. */
const shownOutput = (call: ScriptCall) =>
  isPatch(call)
    ? `Exit code: 0\nWall time: 0 seconds\nOutput:\n${call.output}`
    : `Chunk ID: ${call.id}\nWall time: 0.1 seconds\nProcess exited with code ${call.exitCode ?? 0}\nOutput:\n${call.output}`;

function hooksOf({ sessionId, folder, startMs, turns, endMs }: SessionScript) {
  const hook = (atMs: number, hook_event_name: string, more: JsonObject) => ({
    atMs: atMs + 30,
    record: {
      session_id: sessionId,
      transcript_path: `/home/ada/.codex/sessions/${sessionId}.jsonl`,
      cwd: folder,
      model: MODEL,
      hook_event_name,
      ...more,
    },
  });
  const callHooks = (call: ScriptCall, turn_id: string) => {
    const tool = {
      turn_id,
      tool_name: isPatch(call) ? 'apply_patch' : 'Bash',
      tool_input: { command: isPatch(call) ? patchOf(call) : commandOf(call) },
      tool_use_id: call.id,
    };
    return [
      hook(call.startMs, 'PreToolUse', tool),
      hook(call.endMs, 'PostToolUse', { ...tool, tool_response: call.output }),
    ];
  };
  return [
    hook(startMs, 'SessionStart', { source: 'startup' }),
    ...turns.flatMap(({ promptId, prompt, atMs, answers, endMs: stoppedMs }) => [
      hook(atMs, 'UserPromptSubmit', { turn_id: promptId, prompt }),
      ...answers.flatMap(({ calls }) => calls.flatMap((call) => callHooks(call, promptId))),
      hook(stoppedMs, 'Stop', { turn_id: promptId, last_assistant_message: answers.at(-1)!.words }),
    ]),
    hook(endMs, 'SessionEnd', { reason: 'other' }),
  ];
}

function transcriptOf({ sessionId, folder, startMs, turns }: SessionScript): string {
  let spent = 0;
  const line = (atMs: number, type: string, payload: JsonObject): JsonObject => ({
    timestamp: new Date(atMs).toISOString(),
    type,
    payload,
  });
  const item = (atMs: number, payload: JsonObject) => line(atMs, 'response_item', payload);
  const event = (atMs: number, payload: JsonObject) => line(atMs, 'event_msg', payload);
  const usageLine = ({ endMs, usage }: ScriptAnswer) => {
    const input = usage.fresh + usage.cacheRead;
    const counts = (more: number): JsonObject => ({
      input_tokens: input + more,
      cached_input_tokens: usage.cacheRead,
      output_tokens: usage.output,
      total_tokens: input + more + usage.output,
    });
    spent += input;
    return event(endMs, {
      type: 'token_count',
      info: { total_token_usage: counts(spent), last_token_usage: counts(0) },
    });
  };
  const request = (call: ScriptCall, atMs: number) =>
    isPatch(call)
      ? item(atMs, { type: 'custom_tool_call', call_id: call.id, name: 'apply_patch', input: patchOf(call) })
      : item(atMs, {
          type: 'function_call',
          call_id: call.id,
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: commandOf(call) }),
        });
  const result = (call: ScriptCall) =>
    item(call.endMs, {
      type: isPatch(call) ? 'custom_tool_call_output' : 'function_call_output',
      call_id: call.id,
      output: shownOutput(call),
    });
  const messageOf = (role: string, type: string, text: string): Json => ({
    type: 'message',
    role,
    content: [{ type, text }],
  });
  const answerLines = (answer: ScriptAnswer) => [
    ...(answer.words === ''
      ? []
      : [
          item(answer.endMs, messageOf('assistant', 'output_text', answer.words) as JsonObject),
          event(answer.endMs, { type: 'agent_message', message: answer.words }),
        ]),
    ...answer.calls.map((call) => request(call, answer.endMs)),
    usageLine(answer),
    ...answer.calls.map(result),
  ];
  return jsonLinesOf([
    line(startMs, 'session_meta', { id: sessionId, timestamp: new Date(startMs).toISOString(), cwd: folder }),
    ...turns.flatMap(({ promptId, prompt, atMs, answers, endMs }) => [
      event(atMs, { type: 'task_started', turn_id: promptId }),
      line(atMs, 'turn_context', { turn_id: promptId, model: MODEL, cwd: folder }),
      item(atMs, messageOf('user', 'input_text', prompt) as JsonObject),
      event(atMs, { type: 'user_message', message: prompt }),
      ...answers.flatMap(answerLines),
      event(endMs, { type: 'task_complete', turn_id: promptId, last_agent_message: answers.at(-1)!.words }),
    ]),
  ]);
}

function logsOf({ sessionId, turns, startMs }: SessionScript) {
  const event = (name: string, atMs: number, attributes: SentLog['attributes']): SentLog => ({
    atMs: atMs + 5,
    eventName: 'event otel/src/events.rs:1',
    attributes: { 'event.name': `codex.${name}`, 'conversation.id': sessionId, model: MODEL, ...attributes },
  });
  const answered = ({ endMs, usage }: ScriptAnswer) =>
    event('sse_event', endMs, {
      'event.kind': 'response.completed',
      input_token_count: usage.fresh + usage.cacheRead,
      output_token_count: usage.output,
      cached_token_count: usage.cacheRead,
      reasoning_token_count: 0,
    });
  const result = (call: ScriptCall) =>
    event('tool_result', call.endMs, {
      call_id: call.id,
      tool_name: isPatch(call) ? 'apply_patch' : 'exec_command',
      success: 'true',
      duration_ms: String(call.endMs - call.startMs),
      arguments: isPatch(call) ? patchOf(call) : JSON.stringify({ cmd: commandOf(call) }),
      output: shownOutput(call),
    });
  const turnEvents = ({ prompt, atMs, answers }: ScriptTurn) => [
    event('user_prompt', atMs, { prompt }),
    ...answers.flatMap((answer) => [answered(answer), ...answer.calls.map(result)]),
  ];
  const records = [event('conversation_starts', startMs, {}), ...turns.flatMap(turnEvents)];
  return logBodies({ serviceName: 'codex_exec', scope: 'codex_exec', records });
}
