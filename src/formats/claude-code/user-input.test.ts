import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { readUserInput } from './user-input.ts';

const userLine = (content: string | JsonObject[], more: JsonObject = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const command = (name: string, args: string) =>
  `<command-message>${name} is running…</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
const text = (words: string): JsonObject => ({ type: 'text', text: words });

describe('readUserInput', () => {
  test.each<[string, JsonObject, object]>([
    ['words', userLine('Rename the shop.'), { kind: 'prompt', text: 'Rename the shop.' }],
    [
      'words with markup of the user',
      userLine('Why is <b>bold</b> gone?'),
      { kind: 'prompt', text: 'Why is <b>bold</b> gone?' },
    ],
    [
      'a file opened in the editor before the words',
      userLine([text('<ide_opened_file>The user opened /srv/a.ts</ide_opened_file>'), text('Explain it.')]),
      { kind: 'prompt', text: 'Explain it.' },
    ],
    [
      'a reminder in the middle',
      userLine('One <system-reminder>todo list\nis empty</system-reminder>and two.'),
      { kind: 'prompt', text: 'One and two.' },
    ],
    ['a reminder without an end', userLine('One.\n<system-reminder>todo list'), { kind: 'prompt', text: 'One.' }],
    ['only a reminder', userLine('<system-reminder>todo list</system-reminder>'), { kind: 'machine' }],
    [
      'output of a local command',
      userLine('<local-command-stdout>Set model to x</local-command-stdout>'),
      { kind: 'machine' },
    ],
    ['a shell command of the user', userLine('<bash-input>git log</bash-input>'), { kind: 'machine' }],
    ['its output', userLine('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>'), { kind: 'machine' }],
    [
      'a finished background task',
      userLine(
        '<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nFull transcript available at: /tmp/b1',
      ),
      { kind: 'machine' },
    ],
    ['a local command', userLine(command('model', 'opus')), { kind: 'machine' }],
    [
      'a command with an argument',
      userLine(command('shop:review', 'branch main')),
      { kind: 'prompt', text: '/shop:review branch main' },
    ],
    ['a command alone', userLine(command('shop:review', '')), { kind: 'command', text: '/shop:review' }],
    ['an interruption', userLine([text('[Request interrupted by user]')]), { kind: 'interruption' }],
    [
      'an interruption of a call',
      userLine([text('[Request interrupted by user for tool use]')]),
      { kind: 'interruption' },
    ],
    [
      'words about an interruption',
      userLine('Why does it say [Request interrupted by user]?'),
      { kind: 'prompt', text: 'Why does it say [Request interrupted by user]?' },
    ],
    [
      'a summary after a compaction',
      userLine('The user wants a shop.', { isCompactSummary: true }),
      { kind: 'machine' },
    ],
    [
      'a summary of an older version',
      userLine('This session is being continued from a previous conversation that ran out of context.'),
      { kind: 'machine' },
    ],
    ['instructions of a skill', userLine([text('# Review')], { isMeta: true }), { kind: 'machine' }],
    ['a result', userLine([{ type: 'tool_result', tool_use_id: 't', content: 'done' }]), { kind: 'machine' }],
    [
      'a result with a picture',
      userLine([{ type: 'tool_result', tool_use_id: 't', content: [] }, { type: 'image' }]),
      { kind: 'machine' },
    ],
    ['a picture alone', userLine([{ type: 'image', source: {} }]), { kind: 'prompt', text: '[image]' }],
    ['nothing', userLine(''), { kind: 'machine' }],
  ])('%s', (_, line, input) => {
    expect(readUserInput(line)).toEqual(input);
  });

  test('a million unclosed elements are read in linear time', () => {
    expect(readUserInput(userLine('<system-reminder>'.repeat(1_000_000)))).toEqual({ kind: 'machine' });
  });
});
