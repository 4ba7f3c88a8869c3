import type { Step, Trace } from '../../core/trace.ts';

/** A line of talk between a user and the agent that serves them. */
export interface Line {
  step: Step;
  isUser: boolean;
  text: string;
}

/** What user and agent said to each other, in order; tool calls and system texts are left out. */
export function conversationOf(trace: Trace): Line[] {
  return trace.steps.flatMap((step): Line[] => {
    const text = step.output.trim();
    if (text === '') return [];
    if (isUserLine(step)) return [{ step, isUser: true, text }];
    const isAnswer = step.kind === 'llm' && step.outputMessages.every(({ toolCalls }) => toolCalls.length === 0);
    return isAnswer ? [{ step, isUser: false, text }] : [];
  });
}

function isUserLine({ kind, name, agent, outputMessages }: Step): boolean {
  const isMessage = kind === 'message' || (kind === 'other' && outputMessages.length > 0);
  return isMessage && [name, agent, outputMessages[0]?.role].includes('user');
}

/** Sentences that end in a question mark. */
export function questionsIn(text: string): string[] {
  if (!/[?？]/.test(text)) return [];
  return text
    .split(/(?<=[.!?。！？])|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 12 && sentence.length <= 300 && /[?？]$/.test(sentence));
}
