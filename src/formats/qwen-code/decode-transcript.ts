import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import type { CallRefusal } from '../../core/trace.ts';
import { exitCodeIn } from '../coding-session/exit-code.ts';
import { countOf, objectOf, objectsIn, textOf, timeNsOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';
import { readSessionLines } from '../coding-session/session-lines.ts';
import type { CallUsage } from '../coding-session/session-parts.ts';

const SOURCE = { framework: 'qwen-code', product: 'Qwen Code', scope: 'qwen-code.transcript' };
const SHELL = 'run_shell_command';

const SESSION = /"sessionId": ?"[^"\\]/;
const MESSAGE = /"message": ?\{"role": ?"(?:user|model)", ?"parts": ?\[/;

/**
 * Whether a text begins like a session file of Qwen Code: lines like those of Claude Code whose message has `parts`. The
 * text is not parsed because the first prompt alone may be longer.
 */
export function isQwenTranscript(head: string): boolean {
  return MESSAGE.test(head) && SESSION.test(head);
}

function sessionIn({ sessionId, uuid }: JsonObject): string | null {
  return typeof uuid === 'string' ? textOf(sessionId) : null;
}

/** One trace per session: prompts, model calls with usage, tool calls and compactions. A broken line only affects itself. */
export function decodeQwenTranscript(text: string): Decoded {
  const { lines, rejections } = readSessionLines(text);
  const sessions = new Map<string, QwenSession>();
  let current: QwenSession | undefined;
  for (const { value, number } of lines) {
    if (value === null) {
      current?.reject();
      continue;
    }
    const id = sessionIn(value);
    if (id === null) continue;
    const timeNs = timeNsOf(value.timestamp);
    if (timeNs === null) {
      sessions.get(id)?.reject();
      rejections.push({ pointer: `line ${number}/timestamp`, message: 'must be an RFC 3339 time' });
      continue;
    }
    const session = sessions.get(id) ?? new QwenSession(id, timeNs);
    sessions.set(id, session);
    current = session;
    session.addLine(value, timeNs);
  }
  return { spans: [...sessions.values()].flatMap((session) => session.spans()), rejections };
}

interface Prompt {
  key: string;
  promptText: string;
  timeNs: bigint;
}

class QwenSession {
  readonly #session: SessionBuilder;
  /** A prompt waits for the id in the telemetry of its first model call, which hooks also use. */
  #prompt: Prompt | null = null;
  #durationMs = 0;

  constructor(id: string, startNs: bigint) {
    this.#session = new SessionBuilder(SOURCE, id, startNs);
  }

  spans() {
    this.#settlePrompt(null);
    return this.#session.spans();
  }

  reject(): void {
    this.#session.reject();
  }

  addLine(line: JsonObject, timeNs: bigint): void {
    this.#session.touch(timeNs);
    this.#session.describe({ directory: textOf(line.cwd), branch: textOf(line.gitBranch) });
    const key = line.uuid as string;
    const parts = objectsIn(objectOf(line.message).parts);
    if (line.type === 'system') this.#addSystemLine(line, key, timeNs);
    else if (line.type === 'user') this.#addUserLine(line, parts, key, timeNs);
    else if (line.type === 'assistant') this.#addAnswer(line, parts, key, timeNs);
    else if (line.type === 'tool_result') this.#closeCalls(line, parts, timeNs);
  }

  #addSystemLine({ subtype, systemPayload }: JsonObject, key: string, timeNs: bigint): void {
    const payload = objectOf(systemPayload);
    if (subtype === 'ui_telemetry') this.#addTelemetry(objectOf(payload.uiEvent), key, timeNs);
    else if (subtype === 'chat_compression') {
      const info = objectOf(payload.info);
      this.#session.compaction({
        key,
        timeNs,
        trigger: textOf(payload.trigger),
        tokensBefore: countOf(info.originalTokenCount),
        tokensAfter: countOf(info.newTokenCount),
      });
    } else if (subtype === 'custom_title')
      this.#session.describe({ title: textOf(payload.customTitle) ?? textOf(payload.title) });
  }

  #addTelemetry(event: JsonObject, key: string, timeNs: bigint): void {
    this.#settlePrompt(textOf(event.prompt_id));
    const name = textOf(event['event.name']) ?? '';
    if (name.endsWith('.api_response')) this.#durationMs = countOf(event.duration_ms) ?? 0;
    if (name.endsWith('.api_error'))
      this.#session.modelCall({
        key,
        startNs: timeNs,
        endNs: timeNs,
        model: textOf(event.model),
        text: '',
        calls: [],
        error: textOf(event.error_message) ?? textOf(event.error) ?? PLACEHOLDER_ERROR.model,
      });
    if (name.endsWith('.user_cancel')) this.#session.interruption(key, timeNs);
    const callId = textOf(event.call_id);
    const durationMs = countOf(event.duration_ms);
    if (name.endsWith('.tool_call') && callId !== null && durationMs !== null) {
      const endNs = timeNsOf(event['event.timestamp']) ?? timeNs;
      this.#session.startCall(callId, endNs - BigInt(Math.round(durationMs * 1e6)));
    }
  }

  #addUserLine(line: JsonObject, parts: readonly JsonObject[], key: string, timeNs: bigint): void {
    const promptText = textIn(parts);
    const isReal = line.provenance === undefined || line.provenance === 'real_user';
    if (promptText === '' || !isReal) return;
    this.#settlePrompt(null);
    this.#prompt = { key, promptText, timeNs };
  }

  #settlePrompt(promptId: string | null): void {
    if (this.#prompt === null) return;
    const { key, promptText, timeNs } = this.#prompt;
    this.#prompt = null;
    this.#session.prompt(promptId ?? key, promptText, timeNs);
  }

  #addAnswer(line: JsonObject, parts: readonly JsonObject[], key: string, timeNs: bigint): void {
    this.#settlePrompt(null);
    const calls = parts.flatMap(({ functionCall }) => {
      const { id, name, args } = objectOf(functionCall);
      return typeof id === 'string' && typeof name === 'string' ? [{ id, name, arguments: args ?? null }] : [];
    });
    const durationNs = BigInt(Math.round(this.#durationMs * 1e6));
    this.#durationMs = 0;
    this.#session.modelCall({
      key,
      startNs: timeNs - durationNs,
      endNs: timeNs,
      model: textOf(line.model),
      text: textIn(parts),
      calls,
      usage: usageOf(objectOf(line.usageMetadata)),
    });
    for (const call of calls) this.#session.openCall({ ...call, timeNs, messageId: key });
  }

  #closeCalls(line: JsonObject, parts: readonly JsonObject[], timeNs: bigint): void {
    const outcome = objectOf(line.toolCallResult);
    for (const { functionResponse } of parts) {
      const { id, name, response } = objectOf(functionResponse);
      const callId = textOf(id) ?? textOf(outcome.callId);
      if (callId === null) continue;
      const answer = objectOf(response);
      const result = textOf(answer.output) ?? textOf(answer.error) ?? '';
      const shown = objectOf(outcome.resultDisplay).exitCode;
      const code = Number.isInteger(shown) ? (shown as number) : name === SHELL ? exitCodeIn(result) : null;
      const status = textOf(outcome.status);
      const refusal = refusalIn(status, result);
      this.#session.closeCall(callId, {
        timeNs,
        result,
        isError: status === null ? null : status !== 'success',
        exitCode: code,
        refusal,
      });
      if (status === 'cancelled' && refusal === null) this.#session.interruption(`${callId} cancelled`, timeNs);
    }
  }
}

const REFUSED = /user did not allow|user (?:rejected|declined)|denied by user/i;

function refusalIn(status: string | null, result: string): CallRefusal | null {
  return status === 'cancelled' && REFUSED.test(result) ? { by: 'user', reason: null } : null;
}

/** Reasoning is also sent as parts, but is not an answer. */
function textIn(parts: readonly JsonObject[]): string {
  return parts.flatMap(({ text, thought }) => (thought === true ? [] : (textOf(text) ?? []))).join('\n');
}

/**
 * Gemini's API counts reasoning tokens separately from the candidates, OpenAI's includes them: the total distinguishes the
 * two.
 */
function usageOf(usage: JsonObject): CallUsage | null {
  const input = countOf(usage.promptTokenCount);
  const answer = countOf(usage.candidatesTokenCount);
  const thoughts = countOf(usage.thoughtsTokenCount);
  if (input === null && answer === null) return null;
  const total = countOf(usage.totalTokenCount);
  const isBeside = thoughts !== null && total !== null && total >= (input ?? 0) + (answer ?? 0) + thoughts;
  return {
    input,
    output: isBeside ? (answer ?? 0) + thoughts : answer,
    cacheRead: countOf(usage.cachedContentTokenCount),
    reasoning: thoughts,
  };
}
