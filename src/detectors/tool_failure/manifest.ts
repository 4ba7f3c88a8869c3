import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const toolFailureManifest = defineManifest({
  type: 'tool_failure',
  title: 'Tool failure',
  failureModes: ['F4'],
  needs: ['steps'],
  evaluation: {
    runsWith: ['failed_calls'],
    trail: [
      'Service Errors',
      'Authentication Errors',
      'Rate Limiting',
      'Resource Not Found',
      'Resource Exhaustion',
      'Timeout Issues',
      'Environment Setup Errors',
    ],
  },
  subtypes: {
    rate_limit: {
      title: 'Rejected because of too many requests',
      impact: 'critical',
      businessImpact: 'The work of this call is missing, unless a later call repeats it.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} says that it is rate limited, wait as long as it asks for; after three refusals tell the user.`,
      toolNote: 'Calls are rate limited: combine requests into few calls.',
    },
    auth: {
      title: 'Credential or permission rejected',
      impact: 'critical',
      businessImpact: 'Every run that needs this access fails until the credential is renewed.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} refuses the credential, do not call it again: tell the user which access is missing.`,
    },
    not_found: {
      title: 'Requested something that does not exist',
      impact: 'critical',
      businessImpact: 'The answer may rest on data that was never found.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `Give ${what} only names and ids that an earlier result or the user showed; when it finds nothing, look them up.`,
      toolNote: 'Takes only names and ids that an earlier result or the user showed.',
    },
    timeout: {
      title: 'Timeout',
      impact: 'critical',
      businessImpact: 'Users wait, and the result of the call is missing from the answer.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) => `When ${what} takes too long, request less once; then say that it did not return.`,
      toolNote: 'Large requests take too long: ask for a small part at a time.',
    },
    exhaustion: {
      title: 'A limit was reached or a resource is used up',
      impact: 'critical',
      businessImpact: 'Runs of this size keep failing until the limit or the input changes.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} says that a limit is reached, send less; if that fails too, tell the user.`,
      toolNote: 'Input is limited: send no more than needed.',
    },
    service: {
      title: 'Service unreachable or in error',
      impact: 'critical',
      businessImpact: 'The result of this call is missing from the work that needs it.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} is out of order, try once more, then use another source or tell the user.`,
    },
    invalid_arguments: {
      title: 'Rejected because of its arguments',
      impact: 'critical',
      businessImpact: 'The work of this call was not done.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} rejects an argument, correct the one that the error names before you call it again.`,
    },
    schema_mismatch: {
      title: 'Data does not have the shape that a step expects',
      impact: 'critical',
      businessImpact: 'The workflow stops at this step for every record of that shape.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: null,
    },
    internal_error: {
      title: 'Error inside the code of the tool or step',
      impact: 'critical',
      businessImpact: 'The work of this step was not done.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} stops with an error of its own code, try it once with other input; if that fails too, tell the user.`,
    },
    declined: {
      title: 'The tool returned an error message',
      impact: 'warning',
      businessImpact: 'The user may believe that something was done that the system rejected.',
      maturity: preview,
      promptRule: ({ what }) =>
        `When ${what} returns that it did not do something, tell the user what was refused and why.`,
    },
    never_worked: {
      title: 'A tool that failed in every call',
      impact: 'critical',
      businessImpact: 'Everything that needs this tool is missing from this run, and each attempt costs tokens.',
      maturity: fact('Every call of the tool in the run is recorded as failed.'),
      promptRule: ({ what }) =>
        `When ${what} has failed twice, stop calling it and tell the user what could not be done.`,
      runsWith: ['repeated_failures'],
    },
    changes_rejected: {
      title: 'A change was rejected several times, for different reasons',
      impact: 'warning',
      businessImpact:
        'The agent found the rules of the system by trying, and may have settled for a change that nobody asked for.',
      maturity: preview,
      promptRule: ({ what }) =>
        `When ${what} rejects a change, read again everything that the rule behind it depends on before you call it again.`,
      runsWith: ['failed_changes'],
    },
    blocked_by_own_change: {
      title: "A change was rejected after the run's own change of the record",
      impact: 'warning',
      businessImpact: 'A part of the request was not done. Another order of the changes may allow all of them.',
      maturity: fact(
        'The results show that a call of the run changed a field of the record, and a later change of it was rejected.',
      ),
      promptRule: ({ what }) =>
        `Before you call ${what}, list all changes that the user wants for this record, and make those first that ${what} would exclude.`,
      runsWith: ['failed_calls'],
    },
    guess_not_found: {
      title: 'The run answered after a guessed look-up found nothing',
      impact: 'info',
      businessImpact: 'The user reads that something does not exist, although no lookup could have found it.',
      maturity: fact(
        'The last call searched for a value that no message or result contains, it found nothing, and the run answered.',
      ),
      promptRule: ({ what }) =>
        `When ${what} finds nothing for words of your own, try fewer or other words, or list what there is, before you answer.`,
      runsWith: ['calls'],
    },
    failed_result_used: {
      title: 'The answer passes on a value of a result that reports an error',
      impact: 'warning',
      businessImpact: 'The user gets a link or value that the tool itself reported as unusable.',
      maturity: fact(
        'Only a result that reports an error contains the value, and the answer states it without the error.',
      ),
      promptRule: ({ what }) =>
        `If a result of ${what} contains an error, do not use its other fields. Say what failed, or call ${what} again.`,
      runsWith: ['failed_calls', 'answer'],
    },
    other: {
      title: 'Call failed',
      impact: 'critical',
      businessImpact: 'The work of this call was not done.',
      maturity: fact('The call is recorded as failed with this error.'),
      promptRule: ({ what }) =>
        `When ${what} fails, try once in another way; if that fails too, tell the user what could not be done.`,
    },
  },
});
