import { expect, it } from 'vitest';
import { TraceBuilder } from '../../../../test/support/trace-builder.ts';
import { turnsIn } from './turns.ts';

const said = (role: string, content: string) => ({ role, name: null, content, toolCalls: [], toolCallId: null });

/** Each question is only in the history of the answer to it and of the later ones. */
function chat(questions: readonly string[], answer = 'Not yet.') {
  const builder = new TraceBuilder().agent('porter');
  const history: ReturnType<typeof said>[] = [];
  for (const question of questions) {
    history.push(said('user', question));
    builder.llm('I look.', { inputMessages: [...history] }).tool('find_parcel', { lamp: 'red' }, 'none');
    builder.llm(answer, { inputMessages: [...history, said('assistant', 'I look.'), said('tool', 'none')] });
    history.push(said('assistant', answer));
  }
  return builder.build();
}

it.each([
  ['each new question', chat(['Is it there at 9:00?', 'Is it there at 10:00?']), [2.5]],
  ['a question that is asked again after an answer', chat(['Is it there?', 'Is it there?', 'And now?']), [2.5, 5.5]],
  [
    'no text that an answer contained',
    chat(['Is it there?', 'Ask the clerk of hall B.'], 'Ask the clerk of hall B.'),
    [],
  ],
  ['no long text, such as a page', chat(['Is it there?', 'word '.repeat(600)]), []],
])('user turns in histories: %s', (_, trace, expected) => {
  expect(turnsIn(trace).user).toEqual(expected);
});

it('a new prompt that a program writes for each call is no turn of a user', () => {
  const builder = new TraceBuilder().agent('poet');
  for (const round of [1, 2, 3])
    builder.llm('Old Gwen kept a goat.', {
      inputMessages: [said('system', 'Write.'), said('user', `Round ${round}.`)],
    });
  expect(turnsIn(builder.build()).user).toEqual([]);
});

it('a prompt that is sent again without an answer to it is no new turn', () => {
  const builder = new TraceBuilder().agent('porter');
  const history = [said('user', 'Is it there?')];
  for (let round = 0; round < 3; round += 1) {
    builder.llm('I look.', { inputMessages: [...history] }).tool('find_parcel', { lamp: 'red' }, 'none');
    history.push(said('assistant', 'I look.'), said('tool', 'none'), said('user', 'Is it there?'));
  }
  expect(turnsIn(builder.build()).user).toEqual([]);
});
