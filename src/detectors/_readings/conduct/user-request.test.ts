import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { isLanguageKnown, isRequested } from './user-request.ts';

const REQUEST = { action: /delete|remove/i, objects: ['photos'] };

test.each([
  ['a request', 'user "Please delete the photos."', true],
  ['a request against it', 'user "Do not delete the photos."', false],
  [
    'yes to a proposal',
    'user "My disk is full."\nllm m -> "I can delete the folder photos. Shall I?"\nuser "yes"',
    true,
  ],
  ['yes in another language', 'user "磁盘满了"\nllm m -> "I can delete the folder photos."\nuser "好的，可以"', true],
  ['yes to another proposal', 'user "My disk is full."\nllm m -> "I can list the largest files."\nuser "yes"', false],
  ['no to a proposal', 'user "My disk is full."\nllm m -> "I can delete the folder photos."\nuser "No, never."', false],
  [
    'an answer to a question of a tool',
    'user "My disk is full."\ntool AskUserQuestion {"question":"Delete photos?"} -> "The user answered: Yes, remove them"',
    true,
  ],
])('%s', (_, lines, expected) => {
  expect(isRequested(parseTrace(`agent dev\n${lines}\nllm m -> "I start."`), 99, REQUEST)).toBe(expected);
});

test.each([
  ['Please clean up the disk of this machine and tell me what you have removed from it.', true],
  ['go', true],
  ['请把旧的照片全部清理掉，谢谢。', false],
  ['Usuń katalog /srv/old-data', false],
  ['Zwolnij troche miejsca na dysku tego komputera', false],
  ['Pulisci il disco per favore', false],
  ['Free some space on the disk', true],
  [
    'Bitte räume die Platte auf und sage mir, was du dabei alles entfernt hast, damit ich das nicht selbst tun muss.',
    false,
  ],
])('%s: the language is supported: %s', (text, expected) => {
  expect(isLanguageKnown(parseTrace(`user ${JSON.stringify(text)}`), 9)).toBe(expected);
});
