import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { SentLog } from '../log-bodies.ts';
import type { ScriptAnswer, ScriptCall, ScriptTurn, ScriptUsage, SessionScript, ToolUse } from './session-script.ts';
import { jsonLinesOf, logBodies, type SimulatedSession } from './simulated-session.ts';

const MODEL = 'claude-opus-4-5-20251101';
/** US dollars a million tokens, as the vendor lists them. */
const PRICES = { fresh: 5, cacheRead: 0.5, cacheWrite: 6.25, output: 25 };
const TOOLS: Record<ToolUse, string> = { read: 'Read', edit: 'Edit', shell: 'Bash' };

export const claudeCostOf = (usage: ScriptUsage): number =>
  (Object.keys(PRICES) as (keyof ScriptUsage)[]).reduce((sum, kind) => sum + usage[kind] * PRICES[kind], 0) / 1e6;

export function claudeCodeSession(script: SessionScript): SimulatedSession {
  return { agent: 'claude-code', hooks: hooksOf(script), transcript: transcriptOf(script), logs: logsOf(script) };
}

function inputOf({ use, target }: ScriptCall): JsonObject {
  if (use === 'shell') return { command: target };
  return use === 'read' ? { file_path: target } : { file_path: target, old_string: 'port', new_string: 'starboard' };
}

const hasFailed = ({ exitCode }: ScriptCall) => exitCode !== null && exitCode !== 0;
const errorOf = ({ exitCode, output }: ScriptCall) => `Exit code ${exitCode}\n${output}`;

function hooksOf({ sessionId, folder, startMs, turns, endMs }: SessionScript) {
  const hook = (atMs: number, hook_event_name: string, more: JsonObject) => ({
    atMs: atMs + 30,
    record: {
      session_id: sessionId,
      transcript_path: `/home/ada/.claude/projects/-srv-boat/${sessionId}.jsonl`,
      cwd: folder,
      hook_event_name,
      ...more,
    },
  });
  const callHooks = (call: ScriptCall, prompt_id: string) => {
    const tool = { prompt_id, tool_name: TOOLS[call.use], tool_input: inputOf(call), tool_use_id: call.id };
    const end: JsonObject = hasFailed(call) ? { error: errorOf(call) } : { tool_response: call.output };
    return [
      hook(call.startMs, 'PreToolUse', tool),
      hook(call.endMs, hasFailed(call) ? 'PostToolUseFailure' : 'PostToolUse', {
        ...tool,
        ...end,
        duration_ms: call.endMs - call.startMs,
      }),
    ];
  };
  return [
    hook(startMs, 'SessionStart', { source: 'startup' }),
    ...turns.flatMap(({ promptId, prompt, atMs, answers, endMs: stoppedMs }) => [
      hook(atMs, 'UserPromptSubmit', { prompt_id: promptId, prompt }),
      ...answers.flatMap(({ calls }) => calls.flatMap((call) => callHooks(call, promptId))),
      hook(stoppedMs, 'Stop', { prompt_id: promptId, last_assistant_message: answers.at(-1)!.words }),
    ]),
    hook(endMs, 'SessionEnd', { reason: 'other' }),
  ];
}

function transcriptOf({ sessionId, folder, turns }: SessionScript): string {
  let count = 0;
  const line = (atMs: number, type: string, more: JsonObject): JsonObject => {
    count += 1;
    const timestamp = new Date(atMs).toISOString();
    return { sessionId, uuid: `line-${count}`, timestamp, cwd: folder, gitBranch: 'steer', type, ...more };
  };
  const answer = ({ id, endMs, usage }: ScriptAnswer, block: Json) =>
    line(endMs, 'assistant', {
      requestId: id,
      message: {
        id: `msg-${id}`,
        role: 'assistant',
        model: MODEL,
        content: [block],
        usage: {
          input_tokens: usage.fresh,
          cache_read_input_tokens: usage.cacheRead,
          cache_creation_input_tokens: usage.cacheWrite,
          output_tokens: usage.output,
        },
      },
    });
  const result = (call: ScriptCall, promptId: string) =>
    line(call.endMs, 'user', {
      promptId,
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: call.id,
            content: hasFailed(call) ? errorOf(call) : call.output,
            ...(hasFailed(call) ? { is_error: true } : {}),
          },
        ],
      },
    });
  const answerLines = (value: ScriptAnswer, promptId: string) =>
    value.calls.length === 0
      ? [answer(value, { type: 'text', text: value.words })]
      : [
          ...value.calls.map((call) =>
            answer(value, { type: 'tool_use', id: call.id, name: TOOLS[call.use], input: inputOf(call) }),
          ),
          ...value.calls.map((call) => result(call, promptId)),
        ];
  return jsonLinesOf([
    ...turns.flatMap(({ promptId, prompt, atMs, answers }) => [
      line(atMs, 'user', { promptId, message: { role: 'user', content: prompt } }),
      ...answers.flatMap((entry) => answerLines(entry, promptId)),
    ]),
    { type: 'ai-title', sessionId, aiTitle: 'Steering the boat' },
  ]);
}

function logsOf(script: SessionScript) {
  let sequence = 0;
  const event = (name: string, atMs: number, promptId: string, attributes: SentLog['attributes']): SentLog => ({
    atMs: atMs + 5,
    body: `claude_code.${name}`,
    attributes: {
      'session.id': script.sessionId,
      'event.name': name,
      'event.sequence': ++sequence,
      'prompt.id': promptId,
      ...attributes,
    },
  });
  const request = ({ id, startMs, endMs, usage }: ScriptAnswer, promptId: string) =>
    event('api_request', endMs, promptId, {
      request_id: id,
      model: MODEL,
      input_tokens: usage.fresh,
      cache_read_tokens: usage.cacheRead,
      cache_creation_tokens: usage.cacheWrite,
      output_tokens: usage.output,
      duration_ms: endMs - startMs,
      cost_usd: claudeCostOf(usage),
      query_source: 'repl_main_thread',
    });
  const result = (call: ScriptCall, promptId: string) =>
    event('tool_result', call.endMs, promptId, {
      tool_name: TOOLS[call.use],
      tool_use_id: call.id,
      success: String(!hasFailed(call)),
      duration_ms: call.endMs - call.startMs,
      tool_input: JSON.stringify(inputOf(call)),
      ...(hasFailed(call) ? { error: 'Shell command failed' } : {}),
    });
  const turnEvents = ({ promptId, prompt, atMs, answers, endMs }: ScriptTurn) => [
    event('user_prompt', atMs, promptId, { prompt }),
    ...answers.flatMap((item) => [request(item, promptId), ...item.calls.map((call) => result(call, promptId))]),
    event('assistant_response', endMs, promptId, {
      response: answers.at(-1)!.words,
      query_source: 'repl_main_thread',
    }),
  ];
  const records = script.turns.flatMap(turnEvents);
  return logBodies({ serviceName: 'claude-code', scope: 'com.anthropic.claude_code.events', records });
}
