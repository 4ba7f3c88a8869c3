import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const outputValidationManifest = defineManifest({
  type: 'output_validation',
  title: 'Output validation failure',
  failureModes: ['F12', 'FM-3.3'],
  needs: ['steps'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['answer'], mast: ['FM-3.3'], isCalibratedByOutcome: true },
  subtypes: {
    not_json: {
      title: 'The answer is not the requested JSON',
      impact: 'warning',
      businessImpact: 'The program that reads the answer cannot parse it.',
      maturity: preview,
      promptRule: () => 'Answer with one JSON value and nothing before or after it.',
    },
    broken_json: {
      title: 'The answer is broken JSON',
      impact: 'warning',
      businessImpact: 'The program that reads the answer cannot parse it.',
      maturity: preview,
      promptRule: () =>
        'Answer with complete, valid JSON: close every bracket and escape quotes and line breaks in texts.',
    },
    rejected_by_schema: {
      title: 'The answer does not match its output type',
      impact: 'critical',
      businessImpact: 'The program has no result to continue with.',
      maturity: fact(
        'The framework rejected the answer of the model because it does not match the declared output type.',
      ),
      promptRule: () => 'Answer with one object of the requested type, and nothing before or after it.',
      runsWith: ['failed_calls'],
    },
    not_a_number: {
      title: 'The answer is not the requested number',
      impact: 'warning',
      businessImpact: 'The program that reads the answer cannot parse it.',
      maturity: preview,
      promptRule: () => 'Answer with the number alone, without words or units.',
    },
    arguments_off_schema: {
      title: 'A call does not match the declared schema of its tool',
      impact: 'warning',
      businessImpact: 'The tool may reject the call or do something unintended.',
      maturity: fact('The arguments do not match the schema that the trace declares for the tool.'),
      promptRule: ({ what }) =>
        `Call ${what} with the arguments that its schema names, in the types it asks for, and no others.`,
      toolNote: 'Takes exactly the arguments of its schema.',
      runsWith: ['schemas'],
    },
    failed_check_ignored: {
      title: 'An answer was sent although its check had failed',
      impact: 'critical',
      businessImpact: 'An answer that the check rejected has reached the user.',
      maturity: fact('A recorded check rejected an answer, and that answer was sent unchanged.'),
      promptRule: ({ what }) => `When ${what} reports a failure, correct it and check again before you continue.`,
      runsWith: ['checks'],
    },
    wrong_sum: {
      title: 'A wrong calculation was approved',
      impact: 'warning',
      businessImpact: 'Everything that uses the number is wrong.',
      maturity: preview,
      promptRule: () => 'Use a tool for calculations, and copy its result.',
    },
    other_result: {
      title: 'The final number is not what the code returned',
      impact: 'warning',
      businessImpact: 'The answer looks computed, but the computation returned something else.',
      failureModes: ['FM-2.6'],
      maturity: fact('The code of the run returned numbers, and none of them is or gives the final number.'),
      promptRule: () =>
        'Give the number that the last run of your code returned. If it is not the answer, say why, and compute the answer.',
    },
    contrary_approvals: {
      title: 'Two different answers were both approved',
      impact: 'warning',
      businessImpact: 'The review approves wrong answers.',
      maturity: preview,
      promptRule: () =>
        'Approve a result only if your own points are met; when you rejected it before, say what has changed.',
      runsWith: ['several_agents'],
    },
  },
});
