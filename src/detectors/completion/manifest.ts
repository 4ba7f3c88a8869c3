import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, measured, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const completionManifest = defineManifest({
  type: 'completion',
  title: 'Completion misjudgment',
  failureModes: ['F14'],
  needs: ['steps', 'text'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['answer'], mast: ['FM-1.5'], isCalibratedByOutcome: true },
  subtypes: {
    claimed_despite_failure: {
      title: 'Success was claimed after a failure',
      impact: 'critical',
      businessImpact: 'Users believe that the work was done, although it was not.',
      failureModes: ['FM-3.1'],
      maturity: preview,
      promptRule: ({ what }) =>
        `Before you say that something is done, check the last result of ${what}; what failed is reported as failed.`,
      runsWith: ['answer', 'failed_calls'],
    },
    tests_claimed_not_run: {
      title: 'Claimed that tests pass without running them',
      impact: 'warning',
      businessImpact: 'Reviewers trust a test result that does not exist.',
      failureModes: ['FM-3.1'],
      maturity: fact('The answer says that tests passed, and no run of tests is recorded after the edits.'),
      promptRule: () => 'Say that tests pass only if you ran them after the last change, and quote the result.',
      runsWith: ['answer', 'edits'],
    },
    tests_claimed_despite_failure: {
      title: 'Claimed that tests pass although the last run failed',
      impact: 'critical',
      businessImpact: 'A broken change may be merged because the agent says that it works.',
      failureModes: ['FM-3.1'],
      maturity: fact('The answer says that tests passed, and the last recorded run of them failed.'),
      promptRule: () =>
        'Before you say that tests pass, read the output of the last run: if it failed, say so and name what fails.',
      runsWith: ['answer', 'tests'],
    },
    unfulfilled_announcement: {
      title: 'The run ended before the announced step',
      impact: 'warning',
      businessImpact: 'The work is incomplete, and the user has to ask again.',
      failureModes: ['FM-3.1'],
      maturity: measured,
      promptRule: ({ what }) =>
        `Do what you announce before you finish: end only when ${what} was done, or say that it was not.`,
    },
    announced_call_missing: {
      title: 'The run ended on an announced call that was not made',
      impact: 'warning',
      businessImpact: 'The work is incomplete: the run stopped before its next call.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'The last message announces or states an action, and earlier messages or an offered tool show that it needs a call.',
      ),
      promptRule: () =>
        'When you announce a call, make it in the same message. End only with an answer, or with what is missing and why.',
      runsWith: ['calls'],
    },
    no_final_answer: {
      title: 'The run ended without an answer',
      impact: 'warning',
      businessImpact: 'The tool calls cost money, and the user got no answer.',
      failureModes: ['FM-3.1'],
      maturity: preview,
      promptRule: () => 'End every run with an answer to the user, even if it only says what is missing.',
      runsWith: ['calls'],
    },
    result_unanswered: {
      title: 'The run ended on a result, without an answer',
      impact: 'critical',
      businessImpact: 'The user got no answer: the task is not done.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'Nothing follows the last result of the tool, although the user asked a question or the tool returns data.',
      ),
      promptRule: () =>
        'Before your steps are used up, stop calling tools and answer with what you have and what is missing.',
      runsWith: ['calls'],
    },
    check_unchanged: {
      title: 'Handed over while a check returned the same as before the changes',
      impact: 'critical',
      businessImpact: 'The changes did not fix the cause, and the problem remains.',
      maturity: fact('The check returned the same before and after each change, and the run was handed over.'),
      promptRule: ({ what }) => unchangedCheckRule(what),
      runsWith: ['repeatable_calls'],
    },
    negative_check_omitted: {
      title: 'The answer leaves out a check that stayed negative',
      impact: 'critical',
      businessImpact: 'The problem remains, and the user believes that it is solved.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'The check returned the same negative result before and after each change, and the answer mentions no trouble.',
      ),
      promptRule: ({ what }) => negativeCheckRule(what),
      runsWith: ['repeatable_calls'],
    },
    requirement_unmet: {
      title: 'The run ended while a required value was not reached',
      impact: 'warning',
      businessImpact: 'The result does not meet what the user required.',
      failureModes: ['FM-3.1'],
      maturity: fact('The user sets a bound for a measure, and no result that states this measure reaches it.'),
      promptRule: () =>
        'Compare the last measured value with the one that the task requires. If it is not reached, continue or ask the user; do not submit.',
      runsWith: ['calls'],
    },
    call_pending: {
      title: 'The run ended with a call that is only text',
      impact: 'critical',
      businessImpact: 'The user received the text of a tool call instead of an answer: the task is not done.',
      failureModes: ['FM-3.1'],
      maturity: fact('The last message is a call of a tool that the run used before, and it was not made.'),
      promptRule: () =>
        'Before your steps are used up, answer with what you have and what is missing; never end with a call.',
      runsWith: [],
    },
    code_not_run: {
      title: 'The chat ended before its code was seen to work',
      impact: 'critical',
      businessImpact: 'The answer contains code that was not run.',
      failureModes: ['FM-3.1'],
      maturity: fact('The last message contains code of the kind that the run executed before, and nothing ran it.'),
      promptRule: () => 'End the run only after you have seen the result of your last code.',
      runsWith: [],
    },
    stub_left: {
      title: 'A requested function has no body',
      impact: 'critical',
      businessImpact: 'The function does nothing: the task is not done.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'The user names the function, and the code that the run ended on defines it without a statement in its body.',
      ),
      promptRule: () =>
        'Before you submit or run code, check that each requested function has a body; never leave a comment in its place.',
      runsWith: [],
    },
    ended_as_failed: {
      title: 'The agent marked the task as not done',
      impact: 'warning',
      businessImpact: 'The run counts as completed, but the user did not get the requested result.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'The last call gives the task up or states that it is not done, or an agent states this after each round.',
      ),
      promptRule: null,
      runsWith: [],
    },
    ended_lost: {
      title: 'The run ended on a result that states the task as lost',
      impact: 'warning',
      businessImpact: 'The run counts as completed, but its goal was not reached.',
      failureModes: ['FM-3.1'],
      maturity: fact('The last step is a result that states that the task is lost.'),
      promptRule: () => 'Before an action that can end the task, check that it is the one that the task asks for.',
      runsWith: [],
    },
    reported_not_done: {
      title: 'The answer says that the request was not carried out',
      impact: 'warning',
      businessImpact: 'The run counts as completed, but the user did not get the requested result.',
      failureModes: ['FM-3.1'],
      maturity: fact('The last message of the run states that what was requested was not found out or not done.'),
      promptRule: null,
      runsWith: ['calls'],
    },
    rejected_answer_repeated: {
      title: 'The run ended with an answer that had been rejected',
      impact: 'warning',
      businessImpact: 'The result is the same as before the rejection.',
      failureModes: ['FM-2.5'],
      maturity: fact('An answer was rejected in words, and the last answer of the run is equal to it.'),
      promptRule: () =>
        'After an answer was rejected, say what was wrong with it and what you change. Never give the same answer again.',
      runsWith: ['user_turns'],
    },
    pages_unread: {
      title: 'A figure for a whole list of which only a part was read',
      impact: 'warning',
      businessImpact: 'The number, sum or extreme value that the user gets covers only a part of the list.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'A result states that further items exist, no call reads them, and the answer states a figure of the items that were read.',
      ),
      promptRule: ({ what }) =>
        `If a result of ${what} says that further items exist, read them before you state a number, sum or extreme value for all items.`,
      runsWith: ['partly_read_lists', 'answer'],
    },
    items_unread: {
      title: 'A statement on all items of a list of which only some were opened',
      impact: 'warning',
      businessImpact: 'The statement covers items that nobody looked at.',
      failureModes: ['FM-3.1'],
      maturity: fact(
        'A result names the items, one tool opened some of them, and the answer states something of all or none.',
      ),
      promptRule: ({ what }) =>
        `Before you state something of all or none of the items of ${what}, open each of them, or say how many you opened.`,
      runsWith: ['calls', 'answer'],
    },
    unfinished_claimed: {
      title: 'The answer reports the end of work that the last status shows as unfinished',
      impact: 'warning',
      businessImpact: 'The user relies on work that has not ended.',
      failureModes: ['FM-3.1'],
      maturity: fact('The last recorded status states a part of the work, and the answer says that all of it is done.'),
      promptRule: ({ what }) =>
        `Say that work has ended only if the last result of ${what} shows it. Otherwise state the last status.`,
      runsWith: ['open_statuses', 'answer'],
    },
    unanswered_prompt: {
      title: 'The chat ended with a message that requests another turn',
      impact: 'critical',
      businessImpact: 'The chat used up its turns, and the user got no answer.',
      failureModes: ['FM-1.5'],
      maturity: fact('The last recorded message was answered when it was sent before, and now it is not.'),
      promptRule: null,
      runsWith: ['repeatable_turns'],
    },
    empty_answer: {
      title: 'An agent gave an empty answer',
      impact: 'warning',
      businessImpact: 'The answer or a part of it is missing, and no error reports it.',
      failureModes: ['FM-3.1'],
      maturity: fact('The last recorded answer of the agent contains neither text nor a call.'),
      promptRule: null,
      runsWith: [],
    },
    open_todo_items: {
      title: 'The run ended with open items on its to-do list',
      impact: 'warning',
      businessImpact: 'Part of the work is missing, although the run looks complete.',
      failureModes: ['FM-3.1'],
      maturity: preview,
      promptRule: () =>
        'Before you finish, go through the list of tasks: do each that is open, or say why it was dropped.',
    },
    claim_corrected: {
      title: 'The user had to correct a claim of success',
      impact: 'warning',
      businessImpact: 'Users find failures that the agent reported as solved.',
      failureModes: ['FM-3.1'],
      maturity: preview,
      promptRule: null,
      runsWith: ['user_turns'],
    },
    items_dropped: {
      title: 'An iteration dropped items that failed',
      impact: 'critical',
      businessImpact: 'Some records were not processed, although the run looks successful.',
      failureModes: ['FM-3.1'],
      maturity: fact('The runtime records which rounds failed, and the results lack their items.'),
      promptRule: null,
      runsWith: ['rounds'],
    },
    ended_on_failures: {
      title: 'The last calls of the run all failed',
      impact: 'critical',
      businessImpact: 'The run ended although its last attempts failed.',
      maturity: fact('The last recorded calls all failed, and no later call succeeded.'),
      promptRule: ({ what }) =>
        `When ${what} and the calls before it failed, do not finish as if it had worked: say what failed, or ask.`,
      runsWith: ['repeatable_calls'],
    },
    mostly_failed: {
      title: 'Most calls of the run failed',
      impact: 'critical',
      businessImpact: 'The run ended although most of its calls failed.',
      maturity: fact('At least two thirds of the recorded calls failed, including the last one.'),
      promptRule: ({ what }) =>
        `When most of your calls failed, ${what} among them, say so in your answer, and do not finish as if they had worked.`,
      runsWith: ['repeatable_calls'],
    },
    unusual_trouble: {
      title: 'Among the runs with the most signs of trouble',
      impact: 'warning',
      businessImpact: 'Of your own runs, this one is among the most likely to have failed.',
      maturity: preview,
      promptRule: ({ what }) =>
        `Before you finish, check that the trouble with ${what} left nothing undone, and say what is still open.`,
      runsWith: ['tenant_settings'],
    },
  },
});

export function negativeCheckRule(check: string): string {
  return `While ${check} returns that something does not work, do not report success: continue, or state that result in the answer.`;
}

export function unchangedCheckRule(check: string): string {
  return `When ${check} returns the same after two changes, look for a cause that you have not checked before you change anything else.`;
}
