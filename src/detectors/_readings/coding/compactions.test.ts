import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { compactionRereads } from './compactions.ts';

test('names the files that are read again after a compaction, each once', () => {
  const trace = parseTrace(`
agent dev
in "/srv/shop"
tool Read {"file_path":"/srv/shop/a.ts"} -> "1"
tool Read {"file_path":"/srv/shop/b.ts"} -> "2"
compaction {"trigger":"auto","tokensBefore":150000}
tool Read {"file_path":"a.ts"} -> "1"
tool Read {"file_path":"/srv/shop/a.ts"} -> "1"
tool Read {"file_path":"/srv/shop/new.ts"} -> "3"`);
  expect(compactionRereads(trace)).toEqual([
    {
      step: 2,
      trigger: 'auto',
      tokensBefore: 150000,
      tokensAfter: null,
      rereads: [{ step: 3, path: '/srv/shop/a.ts', readAt: 0 }],
    },
  ]);
});
