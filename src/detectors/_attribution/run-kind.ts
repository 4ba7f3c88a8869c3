import type { RunReading } from './run-columns.ts';

/** What a run is by its structure; each kind fails in its own ways and has its own risk model. */
export type RunKind = 'conversation' | 'shell' | 'tools' | 'talk';

export const RUN_KINDS: readonly RunKind[] = ['conversation', 'shell', 'tools', 'talk'];

const CONVERSATION_TURNS = 3;
const SHELL_COMMANDS = 5;

/** From turns and calls alone, never from the sender's name. */
export function runKind({ views, calls }: RunReading): RunKind {
  if (calls.commands >= SHELL_COMMANDS && calls.commands * 2 > calls.calls) return 'shell';
  if (calls.calls === 0) return 'talk';
  const userTurns = views.filter(({ act }) => act.kind === 'user').length;
  const models = views.filter(({ act }) => act.kind === 'llm');
  const isTalking = models.filter(({ act }) => act.callCount === 0).length >= CONVERSATION_TURNS;
  return userTurns >= CONVERSATION_TURNS && isTalking ? 'conversation' : 'tools';
}
