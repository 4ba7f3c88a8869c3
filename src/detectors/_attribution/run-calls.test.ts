import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { runCalls } from './run-calls.ts';

const calls = (text: string) => runCalls(parseTrace(text));

describe('runCalls', () => {
  it('counts corrected writes and does not count lookups as writes', () => {
    const found = calls(
      'tool get_order {"id":1} -> "ok"\ntool modify_order {"id":1} -> "Error: bad id"\ntool modify_order {"id":2} -> "done"',
    );
    expect(found).toMatchObject({ calls: 3, errors: 1, correctedWrites: 1, furtherWrites: 1 });
  });

  it('does not count a retry with the same arguments as a correction', () => {
    expect(calls('tool pay {"n":1} -> "Error: down"\ntool pay {"n":1} -> "done"')).toMatchObject({
      correctedWrites: 0,
      repeats: 1,
    });
  });

  it('does not count a handoff as a write', () => {
    const twice = 'tool transfer_to_human {"n":1} -> "ok"\ntool transfer_to_human {"n":2} -> "ok"';
    expect(calls(twice)).toMatchObject({ furtherWrites: 0, endsInError: false });
  });

  it.each([
    ['pytest -q', '2 failed, 3 passed', { suiteRuns: 1, lastTestFailed: true }],
    ['pytest -q', '5 passed', { suiteRuns: 1, lastTestFailed: false }],
    ['python repro.py', 'ok', { suiteRuns: 0 }],
    ["sed -i 's/a/b/' lib/a.py", '', { edits: 1, namedFiles: 1, suiteRuns: 0 }],
  ])('shell: %s', (command, output, expected) => {
    const text = `tool bash ${JSON.stringify({ command })} -> ${JSON.stringify(output)}`;
    expect(calls(text)).toMatchObject({ calls: 1, ...expected });
  });
});
