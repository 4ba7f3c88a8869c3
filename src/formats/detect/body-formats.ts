import type { Decoded } from '../../core/span.ts';
import { decodeTranscript } from '../claude-code/decode-transcript.ts';
import { isTranscript } from '../claude-code/transcript-line.ts';
import { decodeRollout, isRollout } from '../codex/decode-rollout.ts';
import { decodeCopilotEvents, isCopilotEvents } from '../copilot-cli/decode-events.ts';
import { decodeDify } from '../dify/decode-dify.ts';
import { isEventLog } from '../dify/event-log.ts';
import { decodeGeminiChatLines, isGeminiChatLines } from '../gemini-cli/decode-chat.ts';
import { decodeRunStream } from '../langgraph-server/decode-stream.ts';
import { isRunStream } from '../langgraph-server/event-stream.ts';
import { decodeRunsMultipart, isRunsMultipart } from '../langsmith/decode-multipart.ts';
import { decodeTranscriptFile, isTranscriptFile } from '../openclaw/transcript-file.ts';
import { decodePiSession, isPiSession } from '../pi/decode-session.ts';
import { decodeQwenTranscript, isQwenTranscript } from '../qwen-code/decode-transcript.ts';
import type { JsonFormatName } from './json-formats.ts';
import { textOf } from './lines.ts';

/** A body that is not a JSON document but contains some. */
export interface BodyFormat {
  name: Extract<
    JsonFormatName,
    | 'langsmith'
    | 'langgraph-run'
    | 'dify'
    | 'openclaw'
    | 'pi-session'
    | 'copilot-events'
    | 'gemini-chat'
    | 'qwen-transcript'
    | 'claude-transcript'
    | 'codex-rollout'
  >;
  matches(body: Buffer): boolean;
  decode(body: Buffer): Decoded;
}

const SNIFFED_BYTES = 100;
/** Other text may precede the first recognisable lines. */
const TRANSCRIPT_SNIFFED_BYTES = 64 * 1024;

export const BODY_FORMATS: readonly BodyFormat[] = [
  { name: 'langsmith', matches: isRunsMultipart, decode: decodeRunsMultipart },
  {
    name: 'langgraph-run',
    matches: (body) => isRunStream(body.subarray(0, SNIFFED_BYTES).toString('latin1')),
    decode: (body) => decodeRunStream(textOf(body) ?? ''),
  },
  {
    name: 'dify',
    matches: (body) => isEventLog(body.subarray(0, SNIFFED_BYTES).toString('latin1')),
    decode: (body) => decodeDify(textOf(body) ?? ''),
  },
  sessionFormat('pi-session', isPiSession, decodePiSession),
  {
    name: 'openclaw',
    matches: (body) => isTranscriptFile(body.subarray(0, SNIFFED_BYTES).toString('latin1')),
    decode: (body) => decodeTranscriptFile(textOf(body) ?? ''),
  },
  sessionFormat('copilot-events', isCopilotEvents, decodeCopilotEvents),
  sessionFormat('gemini-chat', isGeminiChatLines, decodeGeminiChatLines),
  // Its lines look like those of Claude Code.
  sessionFormat('qwen-transcript', isQwenTranscript, decodeQwenTranscript),
  {
    name: 'claude-transcript',
    matches: isTranscript,
    decode: (body) => decodeTranscript(textOf(body) ?? ''),
  },
  {
    name: 'codex-rollout',
    matches: (body) => isRollout(body.subarray(0, TRANSCRIPT_SNIFFED_BYTES).toString('utf8')),
    decode: (body) => decodeRollout(textOf(body) ?? ''),
  },
];

/** A session file of a coding agent in JSON lines. */
function sessionFormat(
  name: BodyFormat['name'],
  isSession: (head: string) => boolean,
  decode: (text: string) => Decoded,
): BodyFormat {
  return {
    name,
    matches: (body) => isSession(body.subarray(0, TRANSCRIPT_SNIFFED_BYTES).toString('utf8')),
    decode: (body) => decode(textOf(body) ?? ''),
  };
}
