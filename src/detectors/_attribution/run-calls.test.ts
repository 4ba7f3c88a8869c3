import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { runCalls } from './run-calls.ts';

const calls = (text: string) => runCalls(parseTrace(text));

describe('runCalls', () => {
  it('tells lookups from changes, and a corrected change', () => {
    const found = calls(
      'tool get_order {"id":1} -> "ok"\ntool modify_order {"id":1} -> "Error: bad id"\ntool modify_order {"id":2} -> "done"',
    );
    expect(found).toMatchObject({
      calls: 3,
      lookups: 1,
      writes: 2,
      writeErrors: 1,
      correctedWrites: 1,
      furtherWrites: 1,
    });
  });

  it('does not call the same arguments again a correction', () => {
    expect(calls('tool pay {"n":1} -> "Error: down"\ntool pay {"n":1} -> "done"')).toMatchObject({
      correctedWrites: 0,
      repeats: 1,
    });
  });

  it('sees a handover after a change', () => {
    expect(calls('tool cancel_order {} -> "ok"\ntool transfer_to_human {} -> "ok"')).toMatchObject({
      handovers: 1,
      handoversAfterWrite: 1,
      endsInHandover: true,
    });
  });

  it.each([
    ['pytest -q', '2 failed, 3 passed', { testRuns: 1, suiteRuns: 1, lastTestFailed: true }],
    ['pytest -q', '5 passed', { testRuns: 1, suiteRuns: 1, lastTestFailed: false }],
    ['python repro.py', 'ok', { testRuns: 1, suiteRuns: 0 }],
    ["sed -i 's/a/b/' lib/a.py", '', { edits: 1, namedFiles: 1, testRuns: 0 }],
    ['git checkout lib/a.py', '', { reverts: 1 }],
    ['git diff', 'diff --git a b\n--- a\n+++ b\n+one\n+two', { patchLines: 2 }],
  ])('shell: %s', (command, output, expected) => {
    const text = `tool bash ${JSON.stringify({ command })} -> ${JSON.stringify(output)}`;
    expect(calls(text)).toMatchObject({ commands: 1, ...expected });
  });
});
