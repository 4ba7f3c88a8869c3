import { expect, it } from 'vitest';
import { toolUses } from '../_readings/calls/calls.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { callWithoutResult } from './lost-result.ts';

const RESULT = 'Rye: 440 g of flour, 310 g of water';

/** Two equal calls, and between them a model call that was sent these messages. */
function lostAt(messages: readonly string[], result = RESULT): number | null {
  const draft = emptyDraft();
  const tool = { id: null, name: 'find_recipe', arguments: { name: 'rye' }, result };
  addStep(draft, { kind: 'tool', name: 'find_recipe', agent: 'baker', tool, output: result });
  const inputMessages = messages.map((content) => ({
    role: 'user',
    name: null,
    content,
    toolCalls: [],
    toolCallId: null,
  }));
  addStep(draft, { kind: 'llm', agent: 'baker', inputMessages });
  addStep(draft, { kind: 'tool', name: 'find_recipe', agent: 'baker', tool, output: result });
  const trace = finishTrace(draft);
  const [first, second] = toolUses(trace);
  return callWithoutResult(trace, first!, second!)?.index ?? null;
}

it('reports the model call whose messages do not contain the result', () => {
  expect(lostAt(['Find a recipe.', 'Go on.'])).toBe(1);
});

it.each<[string, string[], string]>([
  [
    'the messages contain it in another form',
    ['Find a recipe.', '{"result":"Rye: 440 g of flour,\\n310 g of water"}'],
    RESULT,
  ],
  [
    'numbers are written with another count of zeros',
    ['Find a recipe.', '{"rows": [{"amount": 100.0, "vat": 20.50, "name": "rye bread of the north"}]}'],
    '{"rows":[{"amount":100,"vat":20.5,"name":"rye bread of the north"}]}',
  ],
  [
    'letters are escaped',
    ['Find a recipe.', '{"name": "Br\\u00f6tchen", "town": "K\\u00f6ln", "flour": "550 aus der M\\u00fchle"}'],
    '{"name":"Brötchen","town":"Köln","flour":"550 aus der Mühle"}',
  ],
  ['no messages are recorded', [], RESULT],
  ['one message is not a conversation', ['Find a recipe.'], RESULT],
  ['the result is too short to search for', ['Find a recipe.', 'Go on.'], 'Rye'],
])('is silent: %s', (_, messages, result) => {
  expect(lostAt(messages, result)).toBeNull();
});
