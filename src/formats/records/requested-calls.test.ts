import { describe, expect, test } from 'vitest';
import { readRequestedCalls, readScript } from './requested-calls.ts';

const call = (name: string, args: unknown, id: string | null = null) => ({ id, name, arguments: args });

describe('requested calls', () => {
  test.each([
    [
      'bracketed JSON',
      'Let me see.\n[tool_call] find_order({"id": "W1"})',
      [call('find_order', { id: 'W1' })],
      'Let me see.',
    ],
    [
      'bracketed Python',
      "[tool_call] Lookup({'user': 'ada', 'all': True})",
      [call('Lookup', { user: 'ada', all: true })],
      '',
    ],
    [
      'several bracketed',
      '[tool_call] a({})\n[tool_call] b({"x": "f(1)"})',
      [call('a', {}), call('b', { x: 'f(1)' })],
      '',
    ],
    ['bracketed non-literal', '[tool_call] calculate(1 + 2)', [call('calculate', '1 + 2')], ''],
    [
      'a chat message',
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"search","arguments":{"q":"bees"}}}]}',
      [call('search', { q: 'bees' }, 'c1')],
      '',
    ],
    [
      'a chat message with arguments as text',
      '{"role":"assistant","content":[{"type":"text","text":"Hm."}],"tool_calls":[{"function":{"name":"search","arguments":"{\\"q\\":1}"}}]}',
      [call('search', { q: 1 })],
      'Hm.',
    ],
    ['a chat message without calls', '{"role":"assistant","content":"Done."}', [], 'Done.'],
    [
      'tagged JSON',
      'Sure.\n<tool_call>\n{"name":"add","arguments":{"a":1}}\n</tool_call>',
      [call('add', { a: 1 })],
      'Sure.',
    ],
    [
      'an action block',
      '<action>\ntool: web\nparameters: {"q": "bees"}\n</action>',
      [call('web', { q: 'bees' })],
      '<action>\ntool: web\nparameters: {"q": "bees"}\n</action>',
    ],
    [
      'an announcement',
      'I will call the planner with the params as None;',
      [call('planner', null)],
      'I will call the planner with the params as None;',
    ],
    [
      'a ReAct action',
      'Thought: x\nAction: web\nAction Input: {"q": 2}',
      [call('web', { q: 2 })],
      'Thought: x\nAction: web\nAction Input: {"q": 2}',
    ],
    ['prose', 'I could call someone (later).', [], 'I could call someone (later).'],
    ['JSON that is not a message', '{"answer": 4}', [], '{"answer": 4}'],
    ['a marker within a line', 'The [tool_call] x(1) marker', [], 'The [tool_call] x(1) marker'],
    ['an action without tool', '<action>wait</action>', [], '<action>wait</action>'],
  ])('%s', (_, text, calls, prose) => {
    expect(readRequestedCalls(text)).toEqual({ calls, prose });
  });
});

describe('script', () => {
  test.each([
    ['one block', 'First:\n```bash\nls\n```\ndone', 'ls'],
    ['two blocks', '```python\na\n```\n```py\nb\n```', 'a\n\nb'],
    ['other languages', '```json\n{}\n```', null],
    ['an open block', '```bash\nls', null],
    ['none', 'ls', null],
  ])('%s', (_, text, script) => {
    expect(readScript(text)).toBe(script);
  });
});
