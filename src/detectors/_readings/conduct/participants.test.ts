import { expect, test } from 'vitest';
import { messageStep } from '../../_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../../_testing/trace-draft.ts';
import { conversation } from './conversation.ts';
import { chatParticipants } from './participants.ts';

/** Messages in the role of the user, by the names of their senders. */
function chat(senders: readonly string[], around: string | null = null) {
  const draft = emptyDraft();
  const parent = around === null ? null : addStep(draft, { kind: 'agent', agent: around, name: around });
  for (const [at, agent] of senders.entries())
    addStep(draft, { ...messageStep(agent, 'user', `message ${at}`), agent, parent });
  return finishTrace(draft);
}

test.each([
  ['two agents of a group chat', ['planner', 'coder', 'planner'], null, ['planner', 'coder']],
  ['one named speaker may be the user', ['Alice', 'Alice'], null, []],
  ['the user and one agent', ['user', 'planner'], null, []],
  ['names of the enclosing span', ['desk', 'desk'], 'desk', []],
])('%s', (_, senders, around, expected) => {
  expect([...chatParticipants(chat(senders, around))]).toEqual(expected);
});

test('participants of a group chat speak as agents, the user as user', () => {
  expect(conversation(chat(['user', 'planner', 'coder'])).map(({ by }) => by)).toEqual(['user', 'agent', 'agent']);
});
