import { describe, expect, it } from 'vitest';
import { type CallForm, callInForm } from './call-forms.ts';

const ROWS: [CallForm, string, string, unknown][] = [
  ['labelled', 'Thought: look it up.\nAction: Search[red fox]', 'Search', 'red fox'],
  ['labelled', 'Thought: 查一下。\nAction: weather\nAction Input: {"city": "Oslo"}', 'weather', '{"city": "Oslo"}'],
  ['labelled', 'Action: open the drawer', 'open', 'open the drawer'],
  ['labelled', '**Action 3:** list_files', 'list_files', 'list_files'],
  ['element', '<think>First list.</think>\n<execute_bash>\nls -la\n</execute_bash>', 'execute_bash', 'ls -la'],
  ['element', '<tool_call>{"name": "find", "arguments": {"id": 7}}</tool_call>', 'find', { id: 7 }],
  ['element', '<function=read_file><path>a.txt</path></function>', 'read_file', '<path>a.txt</path>'],
  ['json', '{"thought": "ok", "action": "find", "action_input": {"id": 7}}', 'find', { id: 7 }],
  ['json', 'I look.\n```json\n{"tool": "find", "args": {"id": 7}}\n```', 'find', { id: 7 }],
  ['json', '{"thought": "ok", "action": {"click": {"index": 3}}}', 'click', { index: 3 }],
  ['json', '{"commands": [{"keys": "ls\\n"}], "is_task_complete": false}', 'commands', [{ keys: 'ls\n' }]],
  ['json', '{"command": "ls -la", "thought": "look"}', 'ls', 'ls -la'],
  ['bracket', 'I look for the file.\nexecute[find / -name a.c]', 'execute', 'find / -name a.c'],
  ['bracket', 'click("Buy Now")', 'click', '"Buy Now"'],
  ['fence', 'I list the files.\n\n```bash\nls -la\n```', 'bash', 'ls -la'],
  ['fence', 'Ich öffne die Datei.\n```\nopen src/a.py 12\n```', 'open', 'open src/a.py 12'],
  ['fence', 'As `a.py` has\n```python\nx = 1\n```\nI run it.\n```sh\npython a.py\n```', 'bash', 'python a.py'],
  ['command', 'grep -rn "total" src | head -5', 'bash', 'grep -rn "total" src | head -5'],
];

const NO_CALLS: [CallForm, string][] = [
  ['labelled', 'The action: none is needed.'],
  ['labelled', 'My plan has two actions.'],
  ['element', '<thinking>I need the file.</thinking><answer>12</answer>'],
  ['element', 'if a < b and c > d then stop'],
  ['json', '{"answer": 12, "confidence": 0.4}'],
  ['json', 'The settings are {"name": "x"} as you can see.'],
  ['bracket', 'The result is 12 (see above).'],
  ['bracket', 'Done.'],
  ['fence', 'Run this:\n```bash\nls\n```\nand then\n```bash\npwd\n```'],
  ['fence', '```python\nprint(1)\n```'],
  ['command', 'Please find the file for me.'],
  ['command', 'ls\npwd'],
];

describe('callInForm', () => {
  it.each(ROWS)('reads %s: %j', (form, text, name, args) => {
    expect(callInForm(form, text)).toEqual({ name, arguments: args });
  });

  it.each(NO_CALLS)('reads no call in %s: %j', (form, text) => {
    expect(callInForm(form, text)).toBeNull();
  });

  it('does not read very long answers', () => {
    expect(callInForm('labelled', `Action: Search[fox]\n${'x'.repeat(40_000)}`)).toBeNull();
  });
});
