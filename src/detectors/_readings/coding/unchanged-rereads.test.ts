import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { unchangedRereads } from './unchanged-rereads.ts';

const READ = 'tool Read {"file_path":"/srv/shop/cart.ts","offset":1} -> "const total = 1"';

test.each([
  ['the same lines twice', `${READ}\n${READ}`, [[0, 1]]],
  ['in another spelling', `${READ}\ntool Read {"file_path":"cart.ts","offset":1} -> "const total = 1"`, [[0, 1]]],
  ['other lines', `${READ}\ntool Read {"file_path":"/srv/shop/cart.ts","offset":90} -> "const total = 1"`, []],
  ['other content', `${READ}\ntool Read {"file_path":"/srv/shop/cart.ts","offset":1} -> "const total = 2"`, []],
  ['after a compaction', `${READ}\ncompaction {"trigger":"auto"}\n${READ}`, []],
  [
    'in a shell',
    'tool Bash {"command":"sed -n 1,9p a.py"} -> "x"\ntool Bash {"command":"sed -n 1,9p ./a.py"} -> "x"',
    [[0, 1]],
  ],
  ['in one message', 'tool Read {"file_path":"a.ts"} of m1 -> "x"\ntool Read {"file_path":"a.ts"} of m1 -> "x"', []],
])('%s', (_, lines, expected) => {
  const trace = parseTrace(`agent dev\nin "/srv/shop"\n${lines}`);
  expect(unchangedRereads(trace).map(({ steps }) => steps)).toEqual(expected);
});
