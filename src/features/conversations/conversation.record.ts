import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { CONVERSATION_FORMATS } from '../../core/conversation.ts';
import type { Detection } from '../../core/detection.ts';
import type { Turn } from '../../formats/conversation/read-turns.ts';
import type { ConversationTable, DetectionTable, TraceTable } from '../../store/schema.ts';
import { fieldError } from '../_kit/vocabulary.ts';
import { isCounted } from '../detections/counted.ts';

const TASK_CHARACTERS = 200;

/** A conversation in API form. Times are RFC 3339 in UTC. */
export const conversationRecord = z
  .object({
    conversation_id: z.string(),
    trace_id: z.string().describe('The trace whose steps are the turns'),
    task: z
      .string()
      .nullable()
      .describe(`What was asked first, at most ${TASK_CHARACTERS} characters; null before the first analysis`),
    format: z.enum(CONVERSATION_FORMATS),
    framework: z.string(),
    participants: z.array(z.string()).describe('In order of first appearance'),
    turn_count: z.number().int(),
    total_tokens: z.number().describe('Sum over the turns, as reported or else estimated'),
    reported_tokens: z.number().describe('Tokens of the trace: without estimates; 0 before the first analysis'),
    started_at: z.string().describe('Time of arrival if no turn has a time'),
    ended_at: z.string().nullable(),
    failure_modes: z.array(z.string()).describe('F and MAST codes of its detections'),
    analyzed: z.boolean().describe('True once `failure_modes` covers all received turns'),
  })
  .meta({ id: 'Conversation' });
export type ConversationRecord = z.input<typeof conversationRecord>;

export const ingestedConversation = conversationRecord
  .extend({
    rejected_items: z.number().int().describe('Messages and parts that could not be read; the others were stored'),
    errors: z.array(fieldError).describe('The first hundred of them'),
  })
  .meta({ id: 'IngestedConversation' });
export type IngestedConversation = z.input<typeof ingestedConversation>;

export const turnRecord = z
  .object({
    turn: z.number().int().describe('Zero-based; `step` of detections counts the same'),
    role: z.string().describe('As sent'),
    participant: z.string(),
    content: z.string().describe('Pictures, sound and files are placeholders such as `[image]`'),
    tool_calls: z
      .array(z.object({ id: z.string().nullable(), name: z.string(), arguments: z.json() }))
      .describe("The request; in a tool's turn the call that it answers"),
    tokens: z.number(),
    tokens_estimated: z.boolean().describe('Estimated, because no count was reported'),
    accumulated_tokens: z.number().describe('Up to and including this turn'),
    created_at: z.string().nullable(),
  })
  .meta({ id: 'Turn' });
export type TurnRecord = z.input<typeof turnRecord>;

export function toTurnRecord(turn: Turn): TurnRecord {
  return {
    turn: turn.turn,
    role: turn.role,
    participant: turn.participant,
    content: turn.content,
    tool_calls: turn.toolCalls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
    tokens: turn.tokens,
    tokens_estimated: turn.areTokensEstimated,
    accumulated_tokens: turn.accumulatedTokens,
    created_at: turn.atMs === null ? null : toRfc3339(turn.atMs),
  };
}

export function toConversationRecord(
  row: ConversationTable,
  trace: Pick<TraceTable, 'task' | 'version' | 'analyzed_version' | 'total_tokens'> | undefined,
  detections: readonly DetectionTable[],
): ConversationRecord {
  return {
    conversation_id: row.conversation_id,
    trace_id: row.trace_id,
    task: trace?.task?.slice(0, TASK_CHARACTERS).toWellFormed() ?? null,
    format: row.format as ConversationRecord['format'],
    framework: row.framework,
    participants: JSON.parse(row.participants) as string[],
    turn_count: row.turn_count,
    total_tokens: row.total_tokens,
    reported_tokens: trace?.total_tokens ?? 0,
    started_at: toRfc3339(row.started_at),
    ended_at: row.ended_at === null ? null : toRfc3339(row.ended_at),
    failure_modes: failureModes(detections),
    analyzed: trace !== undefined && trace.analyzed_version === trace.version,
  };
}

function failureModes(detections: readonly DetectionTable[]): string[] {
  const modes = detections.filter(isCounted).flatMap(({ body }) => (JSON.parse(body) as Detection).failureModes);
  return [...new Set(modes)].sort(new Intl.Collator('en', { numeric: true }).compare);
}
