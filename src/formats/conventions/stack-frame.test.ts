import { expect, test } from 'vitest';
import { ownFrameIn } from './stack-frame.ts';

const NODE = `TypeError: boom
    at Client.send (file:///srv/shop/node_modules/openai/index.mjs:10:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)
    at async order (file:///srv/shop/src/order.mjs:22:97)
    at async main (file:///srv/shop/src/main.mjs:4:1)`;
const PYTHON = `Traceback (most recent call last):
  File "/srv/shop/main.py", line 4, in main
    order()
  File "/srv/shop/order.py", line 22, in order
    client.send()
  File "/usr/lib/python3.12/site-packages/openai/client.py", line 10, in send
    raise ValueError("boom")
ValueError: boom`;

test.each<[string, string, object | null]>([
  ['Node.js, below a library', NODE, { file: '/srv/shop/src/order.mjs', line: 22, isRaisedHere: false }],
  [
    'Node.js, in the program',
    'TypeError: boom\n    at file:///srv/shop/send.mjs:22:97',
    { file: '/srv/shop/send.mjs', line: 22, isRaisedHere: true },
  ],
  ['Windows', 'Error: x\n    at run (C:\\shop\\run.ts:7:1)', { file: 'C:\\shop\\run.ts', line: 7, isRaisedHere: true }],
  ['Python, below a library', PYTHON, { file: '/srv/shop/order.py', line: 22, isRaisedHere: false }],
  [
    'Python, in the program',
    'Traceback (most recent call last):\n  File "/srv/shop/order.py", line 22, in order\n    1 / 0\nZeroDivisionError',
    { file: '/srv/shop/order.py', line: 22, isRaisedHere: true },
  ],
  [
    'Python, after another error',
    `Traceback (most recent call last):\n  File "/srv/shop/first.py", line 3, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "/usr/lib/python3.12/json/decoder.py", line 9, in decode\nValueError: x`,
    null,
  ],
  [
    'Node.js, with the stack of a cause',
    'Error: x\n    at f (/srv/node_modules/a/b.js:1:2) {\n  [cause]: Error: y\n    at g (/srv/shop/g.mjs:4:2)',
    null,
  ],
  ['libraries only', 'Error: x\n    at f (/srv/node_modules/a/b.js:1:2)\n    at node:internal/x:1:2', null],
  ['a compiled program', 'Error: x\n    at f (/$bunfs/root/chunk-07hykq2d.js:16:24369)', null],
  ['code without a file', 'Traceback (most recent call last):\n  File "<stdin>", line 1, in <module>', null],
  ['no stack', 'look at the file:3:4 again', null],
  ['the name of a place that is no file', 'Error: x\n    at native:7:39\n    at eval (<anonymous>:1:1)', null],
])('%s', (_, stack, expected) => {
  expect(ownFrameIn(stack)).toEqual(expected);
});

test('a stack of 1 MB is read in linear time', () => {
  const stack = `${'    at '.repeat(150_000)}\n${'  File "x", line '.repeat(60_000)}`;
  expect(ownFrameIn(stack)).toBeNull();
});
