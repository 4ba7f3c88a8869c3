import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import type { CallRefusal } from '../../core/trace.ts';
import { exitCodeIn } from '../coding-session/exit-code.ts';
import { countOf, objectOf, objectsIn, textOf, timeNsOf } from '../coding-session/fields.ts';
import { SessionBuilder } from '../coding-session/session-builder.ts';
import { readSessionLines, someFirstLine } from '../coding-session/session-lines.ts';
import type { CallUsage } from '../coding-session/session-parts.ts';

const SOURCE = { framework: 'copilot-cli', product: 'Copilot CLI', scope: 'copilot-cli.events' };

/** Whether a text begins like `events.jsonl` of Copilot CLI: with an event that starts a session. */
export function isCopilotEvents(head: string): boolean {
  return head.includes('"session.start"') && someFirstLine(head, (value) => sessionIn(value) !== null);
}

function sessionIn({ type, data }: JsonObject): string | null {
  return type === 'session.start' && isJsonObject(data) ? textOf(data.sessionId) : null;
}

/** One session with its prompts, model calls, tool calls, subagents and compactions. A broken line only affects itself. */
export function decodeCopilotEvents(text: string): Decoded {
  const { lines, rejections } = readSessionLines(text);
  const readers: EventReader[] = [];
  const usages = usagesByCall(lines.flatMap(({ value }) => (value === null ? [] : [value])));
  for (const { value, number } of lines) {
    const timeNs = value === null ? null : timeNsOf(value.timestamp);
    if (value === null || timeNs === null) {
      readers[0]?.reject();
      if (value !== null) rejections.push({ pointer: `line ${number}/timestamp`, message: 'must be an RFC 3339 time' });
      continue;
    }
    const id = sessionIn(value);
    // A copied history may begin with the start of the original session.
    if (id !== null && readers.length === 0) readers.push(new EventReader(id, timeNs, usages));
    readers[0]?.addEvent(value, timeNs);
  }
  return { spans: readers.flatMap((reader) => reader.spans()), rejections };
}

interface CallRecord extends CallUsage {
  durationMs: number | null;
  finishReason: string | null;
}

/** Usage is a separate line before or after its message. */
function usagesByCall(lines: readonly JsonObject[]): Map<string, CallRecord> {
  const usages = new Map<string, CallRecord>();
  for (const { type, data } of lines) {
    if (type !== 'session.usage_record' && type !== 'assistant.usage') continue;
    const details = objectOf(data);
    const usage = isJsonObject(details.usage) ? details.usage : details;
    const id = textOf(usage.apiCallId);
    if (id === null) continue;
    usages.set(id, {
      input: countOf(usage.inputTokens),
      output: countOf(usage.outputTokens),
      cacheRead: countOf(usage.cacheReadTokens),
      cacheWrite: countOf(usage.cacheWriteTokens),
      durationMs: countOf(usage.duration),
      finishReason: textOf(usage.finishReason),
    });
  }
  return usages;
}

class EventReader {
  readonly #session: SessionBuilder;
  readonly #usages: Map<string, CallRecord>;
  /** API calls whose tokens are already counted. */
  readonly #counted = new Set<string>();
  readonly #refusals = new Map<string, CallRefusal>();
  readonly #shells = new Set<string>();
  #totals: JsonObject = {};
  #model: string | null = null;

  constructor(id: string, startNs: bigint, usages: Map<string, CallRecord>) {
    this.#session = new SessionBuilder(SOURCE, id, startNs);
    this.#usages = usages;
  }

  spans() {
    if (this.#usages.size === 0) this.#describeTotals();
    return this.#session.spans();
  }

  reject(): void {
    this.#session.reject();
  }

  addEvent(event: JsonObject, timeNs: bigint): void {
    const data = objectOf(event.data);
    const key = textOf(event.id) ?? String(timeNs);
    this.#session.touch(timeNs);
    switch (event.type) {
      case 'session.start':
      case 'session.resume':
      case 'session.context_changed':
        this.#setContext(data);
        break;
      case 'session.title_changed':
        this.#session.describe({ title: textOf(data.title) });
        break;
      case 'session.model_change':
        this.#model = textOf(data.newModel) ?? this.#model;
        break;
      case 'user.message':
        // A message with a source was written by the program.
        if (textOf(data.source) === null) this.#session.prompt(key, textOf(data.content) ?? '', timeNs);
        break;
      case 'assistant.message':
        this.#addAnswer(data, key, timeNs);
        break;
      case 'tool.execution_start':
        this.#openCall(data, timeNs);
        break;
      case 'permission.completed':
        this.#setPermission(data);
        break;
      case 'tool.execution_complete':
        this.#closeCall(data, timeNs);
        break;
      case 'subagent.started':
        this.#session.agent(
          textOf(data.toolCallId) ?? key,
          textOf(data.agentDisplayName) ?? textOf(data.agentName) ?? 'subagent',
          timeNs,
        );
        break;
      case 'subagent.completed':
      case 'subagent.failed':
        this.#session.endAgent(
          textOf(data.toolCallId) ?? key,
          timeNs,
          event.type === 'subagent.failed' ? (textOf(data.error) ?? 'failed') : null,
        );
        break;
      case 'session.compaction_complete':
        if (data.success === false) return;
        this.#session.compaction({
          key,
          timeNs,
          trigger: textOf(data.trigger),
          tokensBefore: countOf(data.preCompactionTokens),
          tokensAfter: countOf(data.postCompactionTokens),
        });
        break;
      case 'abort':
        this.#session.interruption(key, timeNs);
        break;
      case 'session.error':
        this.#session.modelCall({
          key,
          startNs: timeNs,
          endNs: timeNs,
          model: this.#model,
          text: '',
          calls: [],
          error: textOf(data.message) ?? textOf(data.errorType) ?? PLACEHOLDER_ERROR.bare,
        });
        break;
      case 'session.shutdown':
        this.#totals = objectOf(data.modelMetrics ?? objectOf(data.accountingSnapshot).modelMetrics);
        break;
    }
  }

  #setContext(data: JsonObject): void {
    const context = isJsonObject(data.context) ? data.context : data;
    this.#model = textOf(data.selectedModel) ?? this.#model;
    this.#session.describe({
      directory: textOf(context.cwd),
      project: textOf(context.gitRoot),
      branch: textOf(context.branch),
    });
  }

  #addAnswer(data: JsonObject, key: string, timeNs: bigint): void {
    const callId = textOf(data.apiCallId);
    const isCounted = callId !== null && this.#counted.has(callId);
    const usage = callId === null || isCounted ? undefined : this.#usages.get(callId);
    const output = isCounted ? null : countOf(data.outputTokens);
    // One API answer may be split over several messages, of which only one has its tokens.
    if (callId !== null && (usage !== undefined || output !== null)) this.#counted.add(callId);
    const calls = objectsIn(data.toolRequests).flatMap(({ toolCallId, name, arguments: input }) =>
      typeof toolCallId === 'string' && typeof name === 'string'
        ? [{ id: toolCallId, name, arguments: input ?? null }]
        : [],
    );
    const isEmpty = textOf(data.content) === null && calls.length === 0;
    if (isEmpty && usage === undefined && output === null) return;
    const durationNs = BigInt(Math.round((usage?.durationMs ?? 0) * 1e6));
    const agent = textOf(data.parentToolCallId);
    this.#session.modelCall({
      key: textOf(data.messageId) ?? key,
      startNs: timeNs - durationNs,
      endNs: timeNs,
      model: textOf(data.model) ?? this.#model,
      text: textOf(data.content) ?? '',
      calls,
      usage: usage ?? { input: null, output },
      finishReason: usage?.finishReason ?? null,
      agent,
    });
    const messageId = textOf(data.messageId) ?? key;
    for (const call of calls) this.#session.openCall({ ...call, timeNs, messageId, agent });
  }

  /** The call is known from the model's message; this event only adds its start. */
  #openCall(data: JsonObject, timeNs: bigint): void {
    const id = textOf(data.toolCallId);
    const name = textOf(data.toolName);
    if (id === null || name === null) return;
    if (isJsonObject(data.shellToolInfo) || SHELL.test(name)) this.#shells.add(id);
    const agent = textOf(data.parentToolCallId);
    this.#session.openCall({ id, name, arguments: data.arguments ?? null, timeNs, agent });
    this.#session.startCall(id, timeNs);
  }

  #setPermission({ toolCallId, result }: JsonObject): void {
    const id = textOf(toolCallId);
    const kind = textOf(objectOf(result).kind) ?? '';
    if (id === null || !kind.startsWith('denied')) return;
    const reason = textOf(objectOf(result).feedback) ?? textOf(objectOf(result).message);
    this.#refusals.set(id, { by: kind.includes('by-user') ? 'user' : 'policy', reason });
  }

  #closeCall(data: JsonObject, timeNs: bigint): void {
    const id = textOf(data.toolCallId) ?? '';
    const error = objectOf(data.error);
    const result = resultText(data.result) ?? textOf(error.message) ?? '';
    const isRejected = error.code === 'rejected' || error.code === 'denied';
    this.#session.closeCall(id, {
      timeNs,
      result,
      isError: typeof data.success === 'boolean' ? !data.success : null,
      exitCode: this.#shells.has(id) ? exitCodeIn(result) : null,
      error: textOf(error.message),
      refusal: this.#refusals.get(id) ?? (isRejected ? { by: 'user', reason: null } : null),
    });
  }

  /** If no call has usage, the totals at the end are the only figures. */
  #describeTotals(): void {
    const metrics = Object.entries(this.#totals).map(([model, details]) => ({
      model,
      usage: objectOf(objectOf(details).usage),
    }));
    if (metrics.length !== 1) return;
    const [{ model, usage }] = metrics as [{ model: string; usage: JsonObject }];
    this.#session.describe({
      model,
      inputTokens: countOf(usage.inputTokens),
      outputTokens: countOf(usage.outputTokens),
    });
  }
}

const SHELL = /^(?:(?:read|write|stop)_)?(?:bash|powershell|shell)$/;

function resultText(result: Json | undefined): string | null {
  if (typeof result === 'string') return result;
  return textOf(objectOf(result).content) ?? textOf(objectOf(result).textResultForLlm);
}
