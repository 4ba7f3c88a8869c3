import type { ConversationFormat } from '../../core/conversation.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Decoded, Rejection, Span } from '../../core/span.ts';
import { agentSpans } from '../agent-spans/agent-spans.ts';
import { decodeClineHead, decodeClineMessages, isClineHead, isClineMessages } from '../cline/decode-session.ts';
import { conversationFormatOf, decodeConversation } from '../conversation/decode-conversation.ts';
import { decodeDify, isDify } from '../dify/decode-dify.ts';
import { decodeGeminiChat, isGeminiChat } from '../gemini-cli/decode-chat.ts';
import { decodeHook } from '../hooks/decode-hook.ts';
import { isHook } from '../hooks/hook-event.ts';
import type { HookFramework } from '../hooks/hook-framework.ts';
import { decodeEvents, isEventBatch } from '../langfuse/decode-events.ts';
import { decodeLangfuse, isLangfuse } from '../langfuse/decode-langfuse.ts';
import { decodeThreadHistory, isThreadHistory } from '../langgraph-server/decode-history.ts';
import { decodeServerRun, isServerRun } from '../langgraph-server/decode-run.ts';
import { decodeLangSmith, isLangSmith } from '../langsmith/decode-run.ts';
import { isExportLine } from '../misstep/export-line.ts';
import { decodePlainSpan, isPlainSpan } from '../misstep/plain-span.ts';
import { decodeSpanLine, isSpanLine } from '../misstep/span-line.ts';
import { decodeN8n, isN8n } from '../n8n/decode-n8n.ts';
import { decodeAgentsExport, isAgentsExport } from '../openai-agents/decode-export.ts';
import { decodeOpenClaw, isOpenClaw } from '../openclaw/decode-openclaw.ts';
import { decodeOpenCodeExport, isOpenCodeExport } from '../opencode/decode-export.ts';
import { decodeOtlpJson } from '../otlp/decode-json.ts';
import { decodePhoenixSpan, isPhoenixSpan } from '../phoenix/decode-phoenix.ts';
import { decodeRecord } from '../records/decode-record.ts';
import { isRecord } from '../records/record-shape.ts';
import { decodeSweAgentTrajectory, isSweAgentTrajectory } from '../swe-agent/decode-trajectory.ts';
import { decodeTrail, isTrailTrace } from '../trail/decode-trail.ts';

export type JsonFormatName =
  | 'misstep-spans'
  | 'misstep-export'
  | 'otlp-json'
  | 'records'
  | 'trail'
  | 'openai-agents'
  | 'langsmith'
  | 'langfuse'
  | 'phoenix'
  | 'claude-transcript'
  | 'codex-rollout'
  | 'copilot-events'
  | 'gemini-chat'
  | 'qwen-transcript'
  | 'opencode-export'
  | 'cline-session'
  | 'pi-session'
  | 'swe-agent'
  | 'langgraph-run'
  | 'langgraph-history'
  | 'n8n'
  | 'dify'
  | 'openclaw'
  | 'hooks'
  | 'plain-spans'
  | ConversationFormat;

/** One parsed JSON document with its context. */
export interface JsonDocument {
  value: Json;
  /** Its source text, for decoders that need every digit; null if it was part of a larger document. */
  text: string | null;
  /** Unix milliseconds, for senders that give no time. */
  receivedAtMs: number;
  /** The agent that sent a hook call, if known. */
  agent?: HookFramework | null;
}

export interface JsonFormat {
  name: JsonFormatName;
  matches(value: Json): boolean;
  decode(document: JsonDocument): Decoded;
  /** Duration in milliseconds, if its sender gives a duration but no time. */
  lastedMs?(value: Json): number;
}

/** Ordered by how certain the shape identifies the format. */
export const JSON_FORMATS: readonly JsonFormat[] = [
  {
    name: 'misstep-spans',
    matches: isSpanLine,
    decode: ({ value }) => oneSpan(decodeSpanLine(value)),
  },
  {
    name: 'misstep-export',
    matches: isExportLine,
    decode: () => ({ spans: [], rejections: [] }),
  },
  { name: 'otlp-json', matches: isOtlp, decode: decodeOtlp },
  { name: 'trail', matches: isTrailTrace, decode: ({ value }) => decodeTrail(value) },
  {
    name: 'openai-agents',
    matches: isAgentsExport,
    decode: ({ value }) => decodeAgentsExport(value),
  },
  { name: 'langsmith', matches: isLangSmith, decode: ({ value }) => decodeLangSmith(value) },
  {
    name: 'langfuse',
    matches: (value) => isLangfuse(value) || isEventBatch(value),
    decode: ({ value }) => (isEventBatch(value) ? decodeEvents(value.batch) : decodeLangfuse(value)),
  },
  {
    name: 'opencode-export',
    matches: isOpenCodeExport,
    decode: ({ value }) => decodeOpenCodeExport(value),
  },
  {
    name: 'gemini-chat',
    matches: isGeminiChat,
    decode: ({ value }) => decodeGeminiChat(value),
  },
  {
    name: 'cline-session',
    matches: (value) => isClineHead(value) || isClineMessages(value),
    decode: ({ value }) => (isClineHead(value) ? decodeClineHead(value) : decodeClineMessages(value)),
  },
  {
    name: 'swe-agent',
    matches: isSweAgentTrajectory,
    decode: ({ value, receivedAtMs }) => decodeSweAgentTrajectory(value, receivedAtMs),
  },
  { name: 'phoenix', matches: isPhoenixSpan, decode: ({ value }) => decodePhoenixSpan(value) },
  {
    name: 'langgraph-run',
    matches: isServerRun,
    decode: ({ value }) => decodeServerRun(value),
  },
  {
    name: 'langgraph-history',
    matches: isThreadHistory,
    decode: ({ value }) => decodeThreadHistory(value),
  },
  {
    name: 'n8n',
    matches: isN8n,
    decode: ({ value, receivedAtMs }) => decodeN8n(value, receivedAtMs),
  },
  { name: 'dify', matches: isDify, decode: ({ value }) => decodeDify(value) },
  {
    name: 'openclaw',
    matches: isOpenClaw,
    decode: ({ value, receivedAtMs }) => decodeOpenClaw(value, receivedAtMs),
  },
  { name: 'hooks', matches: isHook, decode: decodeOneHook, lastedMs: hookLastedMs },
  { name: 'records', matches: isRecord, decode: ({ value }) => decodeRecord(value) },
  { name: 'plain-spans', matches: isPlain, decode: decodePlain },
  conversations('taxonomy-data'),
  conversations('chat-completions-a'),
  conversations('chat-completions-b'),
  conversations('generic'),
];

function conversations(name: ConversationFormat): JsonFormat {
  return {
    name,
    matches: (value) => conversationFormatOf(value) === name,
    decode: ({ value, receivedAtMs }) => decodeConversation(name, value, receivedAtMs),
  };
}

function isOtlp(value: Json): boolean {
  return isJsonObject(value) && (Array.isArray(value.resourceSpans) || Array.isArray(value.resource_spans));
}

function decodeOtlp({ value, text }: JsonDocument): Decoded {
  const { spans, rejections } = decodeOtlpJson(text ?? JSON.stringify(value));
  return { spans: agentSpans(spans), rejections };
}

function decodeOneHook({ value, receivedAtMs, agent }: JsonDocument): Decoded {
  return decodeHook(value, receivedAtMs, agent);
}

const ONE_DAY_MS = 86_400_000;

function hookLastedMs(value: Json): number {
  const ms = isJsonObject(value) ? value.duration_ms : null;
  return typeof ms === 'number' && ms >= 0 && ms <= ONE_DAY_MS ? ms : 0;
}

function isPlain(value: Json): boolean {
  return isPlainSpan(value) || (isJsonObject(value) && Array.isArray(value.spans) && value.spans.some(isPlainSpan));
}

function decodePlain({ value }: JsonDocument): Decoded {
  if (!isJsonObject(value) || !Array.isArray(value.spans)) return oneSpan(decodePlainSpan(value, null));
  const traceId = [value.trace_id, value.traceId, value.id].find((id) => typeof id === 'string' && id !== '');
  const decoded: Decoded = { spans: [], rejections: [] };
  value.spans.forEach((item, at) => {
    const { spans, rejections } = oneSpan(
      decodePlainSpan(item, typeof traceId === 'string' ? traceId : null),
      `/spans/${at}`,
    );
    decoded.spans.push(...spans);
    decoded.rejections.push(...rejections);
  });
  return decoded;
}

function oneSpan(read: Span | { rejection: string }, pointer = ''): Decoded {
  if (!('rejection' in read)) return { spans: [read], rejections: [] };
  return { spans: [], rejections: [{ pointer, message: read.rejection } satisfies Rejection] };
}
