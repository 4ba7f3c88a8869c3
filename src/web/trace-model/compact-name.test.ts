import { expect, test } from 'vitest';
import { compactName } from './compact-name.ts';

test.each([
  ['execute_tool web_search', 'web_search'],
  ['chat gpt-4o', 'gpt-4o'],
  ['invoke_agent guide', 'guide'],
  ['chat', 'chat'],
  ['chat ', 'chat '],
  ['chatter box', 'chatter box'],
  ['POST /chat gpt', 'POST /chat gpt'],
  ['', ''],
])('the compact name of %j is %j', (name, expected) => expect(compactName(name)).toBe(expected));
