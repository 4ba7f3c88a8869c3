import type { Message } from '../../client/misstep-client.generated.ts';
import type { TraceColumns } from './columns.ts';

const CONVERSATION_KINDS = new Set(['llm', 'message', 'tool', 'retrieval']);

/** The steps that the conversation view shows, in order: model calls, messages, tool calls and retrievals. */
export function conversationSteps(columns: TraceColumns, shown: Uint8Array | null): Int32Array {
  const isConversationKind = columns.texts.kinds.map((kind) => CONVERSATION_KINDS.has(kind));
  const steps: number[] = [];
  for (let step = 0; step < columns.total; step++)
    if (isConversationKind[columns.kind[step]!] && shown?.[step] !== 0) steps.push(step);
  // A trace without such steps is shown in full, because its sender sets no kinds.
  return Int32Array.from(steps.length === 0 && columns.total > 0 && shown === null ? columns.start.keys() : steps);
}

/** The messages that are new in a model call: those after the messages that it shares with the previous call. */
export function newMessages(sent: readonly Message[], previous: readonly Message[]): readonly Message[] {
  let sharedCount = 0;
  while (
    sharedCount < sent.length &&
    sharedCount < previous.length &&
    isSame(sent[sharedCount]!, previous[sharedCount]!)
  )
    sharedCount++;
  // Omits the output of the previous call, which is repeated as a message, and tool results, which are shown with their calls.
  return sent.slice(sharedCount).filter(({ role }) => role !== 'assistant' && role !== 'tool');
}

function isSame(a: Message, b: Message): boolean {
  return a.role === b.role && a.content === b.content;
}
