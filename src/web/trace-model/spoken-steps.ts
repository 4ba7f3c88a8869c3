import type { Message } from '../../client/misstep-client.generated.ts';
import type { TraceColumns } from './columns.ts';

const SPEAKING = new Set(['llm', 'message', 'tool', 'retrieval']);

/** Steps in which something is said or looked up, in order: those that a conversation consists of. */
export function spokenSteps(columns: TraceColumns, shown: Uint8Array | null): Int32Array {
  const isSpeaking = columns.texts.kinds.map((kind) => SPEAKING.has(kind));
  const steps: number[] = [];
  for (let step = 0; step < columns.total; step++)
    if (isSpeaking[columns.kind[step]!] && shown?.[step] !== 0) steps.push(step);
  // A trace without such steps is shown whole: its sender says nothing about kinds.
  return Int32Array.from(steps.length === 0 && columns.total > 0 && shown === null ? columns.start.keys() : steps);
}

/** Messages that a model call was sent for the first time: those after what it has in common with the call before. */
export function newMessages(sent: readonly Message[], before: readonly Message[]): readonly Message[] {
  let same = 0;
  while (same < sent.length && same < before.length && isSame(sent[same]!, before[same]!)) same++;
  // The previous call's output is repeated as a message, and tool results are shown with their calls.
  return sent.slice(same).filter(({ role }) => role !== 'assistant' && role !== 'tool');
}

function isSame(one: Message, other: Message): boolean {
  return one.role === other.role && one.content === other.content;
}
