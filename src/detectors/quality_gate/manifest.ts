import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const qualityGateManifest = defineManifest({
  type: 'quality_gate',
  title: 'Quality gate bypass',
  failureModes: ['F13', 'FM-3.2'],
  needs: ['steps', 'settled'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['edits'], mast: ['FM-3.2'], isCalibratedByOutcome: true },
  subtypes: {
    nothing_run: {
      title: 'Code was changed and never run',
      impact: 'warning',
      businessImpact: 'A change that was never executed may be merged.',
      maturity: fact(
        'Edits of code are recorded and no run of anything, though a tool that runs commands was offered.',
      ),
      promptRule: () => 'Run what you wrote before you call it done, and fix what fails.',
    },
    unverified_change: {
      title: 'Nothing was run after the last change',
      impact: 'warning',
      businessImpact: 'The last change may have broken what worked before it.',
      maturity: preview,
      promptRule: ({ what }) => `After a change with ${what}, run a check that would show a mistake.`,
      toolNote: 'After a change run a check that would show a mistake.',
    },
    suite_never_run: {
      title: 'The existing tests were never run',
      impact: 'warning',
      businessImpact: 'Regressions of the change appear only after the merge.',
      maturity: preview,
      promptRule: () => 'Run the existing tests after your last change and before you finish.',
    },
    failing_tests_left: {
      title: 'The run ended with failing tests',
      impact: 'critical',
      businessImpact: 'A change whose tests fail may be merged.',
      maturity: fact('The last recorded run of the tests failed, and the run ended.'),
      promptRule: () => 'Do not finish while tests fail that passed before: fix them, or say which fail and why.',
      runsWith: ['edits', 'tests'],
    },
    failing_check_left: {
      title: 'Submitted although its own check still fails',
      impact: 'critical',
      businessImpact: 'A change that is known not to work is submitted as finished.',
      maturity: fact('The same command or test failed before and after the change, and nothing was run after it.'),
      promptRule: () =>
        'While the command or test that showed the fault still fails, do not finish: continue, or say that it fails and why.',
      runsWith: ['repeated_checks'],
    },
    nothing_changed: {
      title: 'Submitted without a change',
      impact: 'critical',
      businessImpact: 'The task is closed, but the problem is not fixed.',
      maturity: fact('The run submitted its work, and no existing statement is different.'),
      promptRule: ({ what }) =>
        `Before ${what}, look at your diff: if it contains no changed statement, continue or say that you found no fix.`,
      runsWith: ['hand_in'],
    },
    only_comments: {
      title: 'Only comments were changed',
      impact: 'critical',
      businessImpact: 'The problem is not fixed, and the user believes that it is.',
      maturity: fact('Every edit of the run changes only comments or blank lines, and the answer does not say so.'),
      promptRule: () =>
        'Before you report a fix, look at your diff: if no statement is changed, continue or say that you found no fix.',
      runsWith: ['edits'],
    },
    only_new_files: {
      title: 'Submitted with new trial files only',
      impact: 'critical',
      businessImpact: 'The task is closed, scratch files are merged, and the existing code is unchanged.',
      maturity: fact('The submitted diff contains only new files that the task does not name.'),
      promptRule: ({ what }) =>
        `Before ${what}, look at your diff: remove trial files, and when no existing file is changed, the task is not done.`,
      runsWith: ['hand_in'],
    },
    given_test_changed: {
      title: 'A given test that failed was changed instead of the code',
      impact: 'critical',
      businessImpact: 'The tests pass, but the code still has the fault that they showed.',
      maturity: fact(
        'A test of a file that existed failed, an edit removed or skipped it or changed its assertion, and the tests passed.',
      ),
      promptRule: () => 'Never remove, skip or change a given test to make the tests pass: change the code.',
      runsWith: ['edits', 'tests'],
    },
    failed_run_left: {
      title: 'The run ended on code that failed',
      impact: 'critical',
      businessImpact: 'The result depends on code that is known to fail.',
      maturity: fact(
        'The last recorded run of code failed, by its exit code or by what its tests state, and the run ended.',
      ),
      promptRule: () =>
        'Do not finish after code that failed: correct it and run it again, or say in the answer that it failed.',
      runsWith: ['executed_code'],
    },
    answers_disagree: {
      title: 'Agents ended with different answers',
      impact: 'warning',
      businessImpact: 'At least one answer is wrong, and nothing says which.',
      maturity: preview,
      promptRule: () => 'When two answers differ, find out which is right before you give one; do not take the last.',
      runsWith: ['several_agents', 'answer_numbers'],
    },
  },
});
