import { expect, test } from 'vitest';
import type { Severity } from '../../src/core/severity.ts';
import { CORRECT, type JudgedDetection, type Verdict, verdictOf } from './scripted-verdict.ts';

const found = (type: string, subtype: string, severity: Severity = 'warning'): JudgedDetection => ({
  type,
  subtype,
  severity,
});
const CLAIMED = found('completion', 'tests_claimed_despite_failure');
const FAILING_TESTS_LEFT = found('quality_gate', 'failing_tests_left');
const REPEATED = found('loop', 'exact_repetition', 'critical');

test.each<[string, JudgedDetection[], Verdict]>([
  ['the three points', [REPEATED, CLAIMED], CORRECT],
  ['notes beside them', [CLAIMED, REPEATED, found('loop', 'polling', 'info')], CORRECT],
  ['no claim', [FAILING_TESTS_LEFT, REPEATED], { named: ['failing tests', 'repetition'], wrong: [] }],
  [
    'a claim that is only a note',
    [{ ...CLAIMED, severity: 'info' }, FAILING_TESTS_LEFT, REPEATED],
    { named: ['failing tests', 'repetition'], wrong: [] },
  ],
  [
    'a false wording of the claim',
    [found('completion', 'tests_claimed_not_run'), FAILING_TESTS_LEFT, REPEATED],
    { named: ['failing tests', 'repetition'], wrong: ['warning completion/tests_claimed_not_run'] },
  ],
  [
    'one detection too many',
    [CLAIMED, REPEATED, found('role_usurpation', 'destructive_command')],
    { ...CORRECT, wrong: ['warning role_usurpation/destructive_command'] },
  ],
  ['one point twice', [CLAIMED, REPEATED, REPEATED], { ...CORRECT, wrong: ['critical loop/exact_repetition'] }],
  [
    'the failing tests beside the claim about them',
    [CLAIMED, FAILING_TESTS_LEFT, REPEATED],
    { ...CORRECT, wrong: ['warning quality_gate/failing_tests_left'] },
  ],
  ['nothing found', [], { named: [], wrong: [] }],
])('%s', (_, detections, verdict) => {
  expect(verdictOf(detections)).toEqual(verdict);
});
