import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

const REPETITION_IMPACT = 'Each repeated step costs time and tokens, while the user waits.';

export const loopManifest = defineManifest({
  type: 'loop',
  title: 'Loop',
  failureModes: ['F3', 'FM-1.3'],
  needs: ['steps'],
  calibration: readCalibration(calibration),
  evaluation: {
    runsWith: ['repeatable_calls'],
    mast: ['FM-1.3'],
    trail: ['Resource Abuse'],
    isCalibratedByOutcome: true,
  },
  subtypes: {
    recursion_limit: {
      title: 'Run stopped at its step limit',
      impact: 'critical',
      businessImpact: 'The run ended without a result after spending its whole budget of steps.',
      failureModes: ['FM-1.5'],
      maturity: fact('The runtime reports that its limit was reached.'),
      promptRule: ({ what }) =>
        `When a round with ${what} brings nothing new, do not start another: give the best result so far and say what is missing.`,
      runsWith: [],
    },
    cyclic: {
      title: 'Steps repeat in a cycle',
      impact: 'critical',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The same steps with the same text, results and state follow each other in every round.'),
      promptRule: ({ what }) =>
        `When ${what} comes back to you unchanged, do not pass it on again: decide, or say what is missing and finish.`,
      runsWith: ['repeatable_turns'],
    },
    exact_repetition: {
      title: 'The same call repeated in a row',
      impact: 'critical',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The same call with the same result is recorded several times in a row.'),
      promptRule: ({ what }) => `Do not repeat ${what} with the same arguments: its result will be the same.`,
      toolNote: 'The same arguments give the same result: do not repeat a call.',
    },
    stalled: {
      title: 'Calls repeated without a new result',
      impact: 'critical',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The same call is repeated with the same result.'),
      promptRule: ({ what }) =>
        `When ${what} brings nothing new twice, try another way or say what is missing and finish.`,
      toolNote: 'The same arguments give the same result: do not repeat a call.',
    },
    retry_storm: {
      title: 'Retries of a call that keeps failing the same way',
      impact: 'critical',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The same call fails repeatedly with the same error.'),
      promptRule: ({ what }) =>
        `When ${what} fails, change what the error names; after the second failure report it instead of trying again.`,
      toolNote: 'After an error, correct what it names before the next call. Stop after two errors.',
      runsWith: ['repeated_failures'],
    },
    repeated_fault: {
      title: 'Repeated error of a tool that otherwise works',
      impact: 'warning',
      businessImpact: REPETITION_IMPACT,
      maturity: preview,
      promptRule: ({ what }) =>
        `Read the error of ${what} before you call it again, and do not make the same mistake twice.`,
      toolNote: 'After an error, correct what it names before the next call.',
      runsWith: ['repeated_failures'],
    },
    reported_loop: {
      title: 'The runtime reported a loop',
      impact: 'critical',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The runtime reports the loop.'),
      promptRule: ({ what }) =>
        `When ${what} brings nothing new twice, try another way or say what is missing and finish.`,
      runsWith: ['runtime_loop_reports'],
    },
    rephrasing: {
      title: 'The same search in different words',
      impact: 'warning',
      businessImpact: REPETITION_IMPACT,
      maturity: preview,
      promptRule: ({ what }) =>
        `Do not ask ${what} the same in other words: after two tries use what you have or another source.`,
      toolNote: 'Other words for the same question return the same results: after two calls, use what was found.',
    },
    iteration_escape: {
      title: 'An iteration ran outside of its bounds',
      impact: 'critical',
      businessImpact: 'Every extra round costs as much as the others, and belongs to no item.',
      maturity: fact('The runtime records rounds outside of the bounds that the workflow sets.'),
      promptRule: null,
      runsWith: ['rounds'],
    },
    exit_not_met: {
      title: 'A loop used all its rounds without meeting its exit condition',
      impact: 'warning',
      businessImpact: 'The next steps use an unfinished result as if it were finished.',
      failureModes: ['FM-1.5'],
      maturity: fact('The runtime records that all rounds were used and the exit condition was never met.'),
      promptRule: null,
      runsWith: ['rounds'],
    },
    failing_test: {
      title: 'The same test fails again after every edit',
      impact: 'warning',
      businessImpact: 'The edits cost money and do not fix the cause.',
      maturity: preview,
      promptRule: null,
      runsWith: ['tests', 'edits'],
    },
    unmoved_check: {
      title: 'The same result after every attempt, until the end',
      impact: 'critical',
      businessImpact: 'The run ended on a result that none of its attempts changed.',
      maturity: fact('The last recorded answers of the check are the same, and the run ended on them.'),
      promptRule: ({ what }) =>
        `When ${what} fails twice in the same way, stop changing the same thing: find out what the failure depends on, or report it.`,
    },
    rejected_edits: {
      title: 'Edits that do not apply',
      impact: 'info',
      businessImpact: 'Every rejected edit costs a model call and changes nothing.',
      maturity: fact('The tool reports for each of these edits that it was not applied.'),
      promptRule: null,
      runsWith: ['edits', 'failed_calls'],
    },
    unchanged_reread: {
      title: 'Unchanged lines are read again',
      impact: 'info',
      businessImpact: 'The same text is paid for again, and fills the context.',
      maturity: fact('The same lines were read before, and the result is the same.'),
      promptRule: null,
    },
    polling: {
      title: 'A running command is polled too often',
      impact: 'info',
      businessImpact: 'Every poll costs a model call; a longer wait returns the same result.',
      maturity: fact('The same running command was polled repeatedly.'),
      promptRule: null,
      runsWith: ['polls'],
    },
    endless_wait: {
      title: 'The run failed during a wait without progress',
      impact: 'critical',
      businessImpact: 'The user got no answer: the run used up its steps on a state that did not change.',
      failureModes: ['FM-1.5'],
      maturity: fact('The last calls of the run are polls with the same result, and an error ended the run.'),
      promptRule: ({ what }) =>
        `When ${what} returns the same state several times, stop polling: cancel it, or report the state to the user.`,
      toolNote: 'If the state stays the same, stop polling and report it.',
      runsWith: ['polls'],
    },
    repeated_text: {
      title: 'An output of the model repeats itself',
      impact: 'critical',
      businessImpact: 'The model call costs tokens up to its limit, and its output contains no usable answer.',
      failureModes: [],
      maturity: fact(
        'The recorded output of the model ends in the same passage, repeated without anything in between.',
      ),
      promptRule: null,
      runsWith: [],
    },
    same_verdict: {
      title: 'The same answer to every new version of the work',
      impact: 'info',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The same answer is recorded to each of these versions, and no other one after them.'),
      promptRule: ({ what }) =>
        `When ${what} gives the same answer to two versions of your work, find the cause before you write the next one.`,
      runsWith: ['repeatable_turns'],
    },
    restated: {
      title: 'An agent gives the same answer again without new information',
      impact: 'critical',
      businessImpact: REPETITION_IMPACT,
      maturity: fact('The same or nearly the same answer is recorded several times, with no new result in between.'),
      promptRule: () =>
        'When your answer would be the one that you gave before, do not give it again: try another way, or say what is missing.',
      runsWith: ['repeatable_turns'],
    },
    message_repetition: {
      title: 'An agent repeats the same message',
      impact: 'warning',
      businessImpact: REPETITION_IMPACT,
      maturity: preview,
      promptRule: () => 'Do not send a message that you have sent before: answer what is new, or finish.',
      runsWith: ['repeatable_turns'],
    },
  },
});
