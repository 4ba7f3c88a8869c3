import { describe, expect, it } from 'vitest';
import type { Fix, FixChange } from '../../core/detection.ts';
import { fixProblems } from './fix-contract.ts';
import { parseTrace } from './notation.ts';

const TRACE = parseTrace('agent clerk\ntool search {"q":1} -> "none"');
const DIFF = '--- a/x\n+++ b/x\n@@ -1,1 +1,2 @@\n one\n+two\n';

function fixWith(change: Partial<FixChange>, overrides: Partial<Fix> = {}): Fix {
  return {
    fixType: 'tool_change',
    title: 'Change search',
    description: 'Change search so that it says more.',
    rationale: 'It says too little.',
    confidence: 0.5,
    risk: 'low',
    changes: [{ target: 'search', format: 'text', before: null, after: 'say more', ...change }],
    isBreaking: false,
    requiresTesting: true,
    ...overrides,
  };
}
const diff = (before: string | null, after: string) => fixWith({ format: 'unified-diff', before, after });
const patch = (before: string | null, after: string) => fixWith({ format: 'json-patch', before, after });

describe('the contract of fixes', () => {
  it.each<[string, Fix]>([
    ['a text', fixWith({})],
    ['a diff', diff('one\n', DIFF)],
    ['a patch', patch('{"a":1}', '[{"op":"replace","path":"/a","value":2}]')],
    ['a patch of a document that the trace does not contain', patch(null, '[{"op":"add","path":"/a","value":2}]')],
  ])('holds for %s', (_name, fix) => {
    expect(fixProblems(TRACE, [fix])).toEqual([]);
  });

  it.each<[string, Fix, RegExp]>([
    [
      'a fix that names no part of the trace',
      fixWith({ target: 'it' }, { title: 'Be better', description: 'Do it in a better way.' }),
      /names a tool/,
    ],
    ['a fix without a change', fixWith({}, { changes: [] }), /changes nothing/],
    ['a fix that is certain', fixWith({}, { confidence: 1 }), /confidence 1/],
    ['an empty change', fixWith({ after: ' ' }), /says nothing/],
    ['a diff without a text', diff(null, DIFF), /nothing to apply to/],
    ['a diff of another text', diff('other\n', DIFF), /does not apply/],
    ['a text that is not a diff', diff('one\n', 'one two'), /diff of search/],
    ['a patch that is not JSON', patch('{}', 'add a'), /is not JSON/],
    ['a patch that is not a list', patch('{}', '{"op":"add"}'), /not a list of operations/],
    ['an unknown operation', patch('{}', '[{"op":"set","path":"/a","value":1}]'), /OPERATION_OP_INVALID/],
    ['a path that does not exist', patch('{}', '[{"op":"replace","path":"/a","value":1}]'), /UNRESOLVABLE/],
    ['a patch that changes nothing', patch('{"a":1}', '[{"op":"replace","path":"/a","value":1}]'), /changes nothing/],
  ])('is broken by %s', (_name, fix, problem) => {
    expect(fixProblems(TRACE, [fix]).join('\n')).toMatch(problem);
  });
});
