import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { redefinedImport } from './redefined-imports.ts';

const find = (code: string) =>
  redefinedImport(
    parseTrace(
      `user "Complete it:\\n\`\`\`python\\nfrom gauges import read_all\\nread_all(mean)\\n\`\`\`"\nagent dev\ntool python ${JSON.stringify({ code })} -> "ok"`,
    ),
  );

it('reports a name of the given module that the code defines itself', () => {
  expect(find('from gauges import read_all\ndef read_all(f):\n    return f([])')).toEqual({
    name: 'read_all',
    module: 'gauges',
    step: 1,
  });
});

it('ignores code that only calls the given function or defines another one', () => {
  expect(find('from gauges import read_all\ndef read_all_twice(f):\n    read_all(f)')).toBeNull();
});
