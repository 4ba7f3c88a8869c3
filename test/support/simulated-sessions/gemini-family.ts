import type { JsonObject } from '../../../src/core/json.ts';
import type { SentLog } from '../log-bodies.ts';
import type { ScriptAnswer, ScriptCall, ScriptTurn, SessionScript, ToolUse } from './session-script.ts';
import { type HookCall, jsonLinesOf, logBodies, type SimulatedSession } from './simulated-session.ts';

const GEMINI_MODEL = 'gemini-2.5-pro';
const QWEN_MODEL = 'qwen3-coder-plus';

/** Gemini CLI has no ids of tool calls and prompts in hooks and events. */
export function geminiSession(script: SessionScript): SimulatedSession {
  return {
    agent: 'gemini-cli',
    hooks: geminiHooks(script),
    transcript: geminiChat(script),
    logs: logsOf(script, 'gemini_cli', GEMINI_MODEL),
  };
}

export function qwenSession(script: SessionScript): SimulatedSession {
  return {
    agent: 'qwen-code',
    hooks: qwenHooks(script),
    transcript: qwenTranscript(script),
    logs: logsOf(script, 'qwen-code', QWEN_MODEL),
  };
}

const TOOLS: Record<ToolUse, string> = { read: 'read_file', edit: 'replace', shell: 'run_shell_command' };
const inputOf = ({ use, target, id }: ScriptCall): JsonObject => {
  if (use === 'shell') return { command: target };
  return use === 'read' ? { file_path: target } : { file_path: target, old_string: 'port', new_string: id };
};
const hasFailed = ({ exitCode }: ScriptCall) => exitCode !== null && exitCode !== 0;
const shownOutput = (call: ScriptCall) =>
  call.use === 'shell'
    ? `Output: ${call.output}${hasFailed(call) ? `\nExit Code: ${call.exitCode}` : ''}`
    : call.output;
const usageOf = ({ usage }: ScriptAnswer): JsonObject => ({
  promptTokenCount: usage.fresh + usage.cacheRead,
  candidatesTokenCount: usage.output,
  cachedContentTokenCount: usage.cacheRead,
  totalTokenCount: usage.fresh + usage.cacheRead + usage.output,
});
const isoOf = (atMs: number) => new Date(atMs).toISOString();

function geminiHooks({ sessionId, folder, startMs, turns, endMs }: SessionScript): HookCall[] {
  const hook = (atMs: number, hook_event_name: string, more: JsonObject): HookCall => ({
    atMs: atMs + 30,
    record: {
      session_id: sessionId,
      transcript_path: `/home/ada/.gemini/tmp/boat/chats/${sessionId}.json`,
      cwd: folder,
      timestamp: isoOf(atMs + 4),
      hook_event_name,
      ...more,
    },
  });
  const llm_request = { model: GEMINI_MODEL };
  const answerHooks = (answer: ScriptAnswer) => [
    hook(answer.startMs, 'BeforeModel', { llm_request }),
    // The response streams in two parts.
    hook(answer.endMs - 100, 'AfterModel', {
      llm_request,
      llm_response: { candidates: [{}], usageMetadata: { ...usageOf(answer), candidatesTokenCount: 1 } },
    }),
    hook(answer.endMs, 'AfterModel', {
      llm_request,
      llm_response: { candidates: [{ finishReason: 'STOP' }], usageMetadata: usageOf(answer) },
    }),
    ...answer.calls.flatMap((call) => {
      const tool = { tool_name: TOOLS[call.use], tool_input: inputOf(call) };
      const tool_response = { llmContent: shownOutput(call), returnDisplay: '' };
      return [hook(call.startMs, 'BeforeTool', tool), hook(call.endMs, 'AfterTool', { ...tool, tool_response })];
    }),
  ];
  return [
    hook(startMs, 'SessionStart', { source: 'startup' }),
    ...turns.flatMap(({ prompt, atMs, answers, endMs: stoppedMs }) => [
      hook(atMs, 'BeforeAgent', { prompt }),
      ...answers.flatMap(answerHooks),
      hook(stoppedMs, 'AfterAgent', { prompt, prompt_response: answers.at(-1)!.words }),
    ]),
    hook(endMs, 'SessionEnd', { reason: 'exit' }),
  ];
}

function geminiChat({ sessionId, startMs, turns }: SessionScript): string {
  const call = (one: ScriptCall): JsonObject => ({
    id: one.id,
    name: TOOLS[one.use],
    args: inputOf(one),
    status: 'success',
    timestamp: isoOf(one.endMs),
    result: [{ functionResponse: { id: one.id, name: TOOLS[one.use], response: { output: shownOutput(one) } } }],
  });
  const answer = (one: ScriptAnswer): JsonObject => ({
    id: one.id,
    timestamp: isoOf(one.endMs),
    type: 'gemini',
    content: one.words,
    model: GEMINI_MODEL,
    tokens: {
      input: one.usage.fresh + one.usage.cacheRead,
      output: one.usage.output,
      cached: one.usage.cacheRead,
      thoughts: 0,
      tool: 0,
      total: one.usage.fresh + one.usage.cacheRead + one.usage.output,
    },
    ...(one.calls.length === 0 ? {} : { toolCalls: one.calls.map(call) }),
  });
  return jsonLinesOf([
    { sessionId, projectHash: 'ab12', startTime: isoOf(startMs), lastUpdated: isoOf(startMs), kind: 'main' },
    ...turns.flatMap(({ promptId, prompt, atMs, answers }) => [
      { id: promptId, timestamp: isoOf(atMs), type: 'user', content: [{ text: prompt }] },
      ...answers.map(answer),
    ]),
  ]);
}

const qwenPromptId = ({ sessionId, turns }: SessionScript, turn: ScriptTurn) =>
  `${sessionId}########${turns.indexOf(turn)}`;

function qwenHooks(script: SessionScript): HookCall[] {
  const { sessionId, folder, startMs, turns, endMs } = script;
  const hook = (atMs: number, hook_event_name: string, more: JsonObject): HookCall => ({
    atMs: atMs + 30,
    record: {
      session_id: sessionId,
      transcript_path: `/home/ada/.qwen/projects/boat/chats/${sessionId}.jsonl`,
      cwd: folder,
      timestamp: isoOf(atMs + 4),
      hook_event_name,
      ...more,
    },
  });
  const callHooks = (call: ScriptCall, prompt_id: string) => {
    const tool = {
      prompt_id,
      tool_name: TOOLS[call.use],
      tool_input: inputOf(call),
      tool_use_id: `toolu_${call.id}`,
      tool_call_id: call.id,
    };
    const end: JsonObject = hasFailed(call)
      ? { error: shownOutput(call) }
      : { tool_response: { llmContent: shownOutput(call), returnDisplay: '' } };
    const name = hasFailed(call) ? 'PostToolUseFailure' : 'PostToolUse';
    return [
      hook(call.startMs, 'PreToolUse', tool),
      hook(call.endMs, name, { ...tool, ...end, duration_ms: call.endMs - call.startMs }),
    ];
  };
  return [
    hook(startMs, 'SessionStart', { source: 'startup', model: QWEN_MODEL }),
    ...turns.flatMap((turn) => {
      const prompt_id = qwenPromptId(script, turn);
      return [
        hook(turn.atMs, 'UserPromptSubmit', { prompt_id, prompt: turn.prompt }),
        ...turn.answers.flatMap(({ calls, endMs: atMs }) => [
          ...calls.flatMap((call) => callHooks(call, prompt_id)),
          ...(calls.length === 0 ? [] : [hook(atMs + 50, 'UserPromptSubmit', { prompt_id, prompt: '' })]),
        ]),
        hook(turn.endMs, 'Stop', { prompt_id, last_assistant_message: turn.answers.at(-1)!.words }),
      ];
    }),
    hook(endMs, 'SessionEnd', { reason: 'other' }),
  ];
}

function qwenTranscript(script: SessionScript): string {
  const { sessionId, folder, turns } = script;
  let count = 0;
  const line = (atMs: number, type: string, more: JsonObject): JsonObject => {
    count += 1;
    return { uuid: `line-${count}`, sessionId, timestamp: isoOf(atMs), type, cwd: folder, gitBranch: 'steer', ...more };
  };
  const telemetry = (atMs: number, uiEvent: JsonObject) =>
    line(atMs, 'system', { subtype: 'ui_telemetry', systemPayload: { uiEvent } });
  const answerLines = (answer: ScriptAnswer, prompt_id: string) => [
    telemetry(answer.endMs, {
      'event.name': 'qwen-code.api_response',
      prompt_id,
      response_id: answer.id,
      duration_ms: answer.endMs - answer.startMs,
    }),
    line(answer.endMs, 'assistant', {
      model: QWEN_MODEL,
      message: {
        role: 'model',
        parts: [
          ...(answer.words === '' ? [] : [{ text: answer.words }]),
          ...answer.calls.map((call) => ({
            functionCall: { id: call.id, name: TOOLS[call.use], args: inputOf(call) },
          })),
        ],
      },
      usageMetadata: usageOf(answer),
    }),
    ...answer.calls.map((call) =>
      line(call.endMs, 'tool_result', {
        message: {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: call.id,
                name: TOOLS[call.use],
                response: hasFailed(call) ? { error: shownOutput(call) } : { output: shownOutput(call) },
              },
            },
          ],
        },
        toolCallResult: {
          callId: call.id,
          status: hasFailed(call) ? 'error' : 'success',
          ...(call.use === 'shell' ? { resultDisplay: { exitCode: call.exitCode } } : {}),
        },
      }),
    ),
  ];
  return jsonLinesOf(
    turns.flatMap((turn) => {
      const prompt_id = qwenPromptId(script, turn);
      const message = { role: 'user', parts: [{ text: turn.prompt }] };
      return [
        line(turn.atMs, 'user', { provenance: 'real_user', message }),
        ...turn.answers.flatMap((answer) => answerLines(answer, prompt_id)),
      ];
    }),
  );
}

/** Events of both programs; only those of Qwen Code have ids of calls and responses. */
function logsOf(script: SessionScript, prefix: 'gemini_cli' | 'qwen-code', model: string) {
  const hasIds = prefix === 'qwen-code';
  const event = (name: string, atMs: number, promptId: string, attributes: SentLog['attributes']): SentLog => ({
    atMs: atMs + 5,
    body: 'Some words.',
    attributes: {
      'event.name': `${prefix}.${name}`,
      'session.id': script.sessionId,
      prompt_id: promptId,
      ...attributes,
    },
  });
  const response = (answer: ScriptAnswer, promptId: string) =>
    event('api_response', answer.endMs, promptId, {
      model,
      duration_ms: answer.endMs - answer.startMs,
      input_token_count: answer.usage.fresh + answer.usage.cacheRead,
      output_token_count: answer.usage.output,
      thoughts_token_count: 0,
      cached_content_token_count: answer.usage.cacheRead,
      ...(hasIds ? { response_id: answer.id } : {}),
      ...(answer.words === '' ? {} : { response_text: answer.words }),
    });
  const toolCall = (call: ScriptCall, promptId: string) =>
    event('tool_call', call.endMs, promptId, {
      function_name: TOOLS[call.use],
      function_args: JSON.stringify(inputOf(call), null, 2),
      duration_ms: call.endMs - call.startMs,
      success: !(hasIds && hasFailed(call)),
      decision: 'accept',
      ...(call.use === 'shell' ? { metadata: JSON.stringify({ exitCode: call.exitCode }) } : {}),
      ...(hasIds ? { call_id: call.id } : {}),
    });
  const records = script.turns.flatMap((turn) => {
    const promptId = qwenPromptId(script, turn);
    return [
      event('user_prompt', turn.atMs, promptId, { prompt: turn.prompt }),
      ...turn.answers.flatMap((answer) => [
        response(answer, promptId),
        ...answer.calls.map((call) => toolCall(call, promptId)),
      ]),
    ];
  });
  return logBodies({ serviceName: hasIds ? 'qwen-code' : 'gemini-cli', scope: 'cli', records });
}
