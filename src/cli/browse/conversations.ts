import type { ConversationFormat } from '../../core/conversation.ts';
import {
  getConversationOperation,
  listConversationsOperation,
  listTurnsOperation,
} from '../../features/conversations/conversation.operations.ts';
import type { ConversationRecord, TurnRecord } from '../../features/conversations/conversation.record.ts';
import { listDetectionsOperation } from '../../features/detections/detection.operations.ts';
import type { CommandContext } from '../context.ts';
import { count } from '../views/amounts.ts';
import { detectionsText } from '../views/detections-text.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';
import { readDetections } from './read-detections.ts';

export interface ConversationListFlags extends PageFlags {
  format?: ConversationFormat;
  from?: string;
  to?: string;
}

export async function listConversations(context: CommandContext, flags: ConversationListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listConversationsOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    format: flags.format,
    date_from: flags.from,
    date_to: flags.to,
  });
  const pages = await backend.pages();
  printPage(context, page, COLUMNS, 'conversations', ({ trace_id }) => pages.trace({ traceId: trace_id }));
}

export async function showConversation(context: CommandContext, conversationId: string): Promise<void> {
  const backend = await context.backend();
  const tenant_id = await backend.tenantId();
  const address = { tenant_id, conversation_id: conversationId };
  const conversation = await backend.call(getConversationOperation, address);
  const { items: turns } = await backend.call(listTurnsOperation, address);
  const { trace_id } = conversation;
  if (context.options.isJson) {
    const pages = await backend.pages();
    return context.print.json({ ...conversation, url: pages.trace({ traceId: trace_id }), turns });
  }
  const { items } = await backend.call(listDetectionsOperation, { tenant_id, trace_id, page_size: 200 });
  context.print.data(`${turns.map((turn) => turnLine(turn, context.style)).join('\n')}\n\n`);
  context.print.data(detectionsText([await readDetections(backend, { tenant_id, trace_id }, items)], context));
}

const COLUMNS: Column<ConversationRecord>[] = [
  { title: 'started', text: (conversation) => conversation.started_at },
  { title: 'conversation', text: (conversation) => conversation.conversation_id },
  { title: 'task', text: (conversation) => conversation.task ?? '', limit: 60 },
  { title: 'format', text: (conversation) => conversation.format },
  { title: 'participants', text: (conversation) => conversation.participants.join(', '), limit: 40 },
  { title: 'turns', text: (conversation) => count(conversation.turn_count), align: 'right' },
  { title: 'tokens', text: (conversation) => count(conversation.total_tokens), align: 'right' },
  { title: 'failure modes', text: failureCell, limit: 32 },
];

function failureCell({ analyzed, failure_modes }: ConversationRecord): string {
  if (!analyzed) return 'pending';
  return failure_modes.join(', ') || 'none';
}

const LINE_CHARACTERS = 100;

function turnLine({ turn, participant, content, tool_calls, tokens }: TurnRecord, style: Style): string {
  const text = content === '' ? tool_calls.map(({ name }) => `${name}(…)`).join(', ') : content;
  const line = printableLine(text);
  const cut = line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS - 1)}…` : line;
  return `${String(turn).padStart(4)}  ${printableLine(participant)}: ${cut}  ${style.dim(`${count(tokens)} tokens`)}`;
}
