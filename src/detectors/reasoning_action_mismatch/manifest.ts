import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const reasoningActionMismatchManifest = defineManifest({
  type: 'reasoning_action_mismatch',
  title: 'Reasoning and action differ',
  failureModes: ['F11', 'FM-2.6'],
  needs: ['tool_calls'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['calls'], mast: ['FM-2.6'], isCalibratedByOutcome: true },
  subtypes: {
    announced_other_tool: {
      title: 'Another tool was called than announced',
      impact: 'warning',
      businessImpact: 'The messages of the agent do not match its actions.',
      maturity: preview,
      promptRule: ({ what }) =>
        `Call the tool that you announced; when you change your mind and use ${what}, say so first.`,
    },
    altered_value: {
      title: 'A value was altered on its way into a call',
      impact: 'warning',
      businessImpact: 'The call affects another record than the intended one.',
      maturity: preview,
      promptRule: ({ what }) => `Pass ids, amounts and names to ${what} exactly as they were shown to you.`,
      toolNote: 'Pass values exactly as they were shown, without rounding or rewording.',
    },
    other_record: {
      title: 'Another record was changed than the one that the user named',
      impact: 'critical',
      businessImpact: 'The wrong record was changed, and the requested one was not.',
      maturity: fact('The results show that the changed record has another key than the one that the user gave.'),
      promptRule: ({ what }) =>
        `Before you call ${what}, compare the record of its id with what the user gave, and open the one that matches.`,
      runsWith: ['calls', 'user_turns'],
    },
    other_than_extreme: {
      title: 'Another item was taken than the cheapest or earliest one that was requested',
      impact: 'warning',
      businessImpact: 'The user pays more or waits longer than needed, and the answer says otherwise.',
      maturity: fact(
        'The result lists a cheaper or earlier item than the one taken, which the answer calls the cheapest or earliest.',
      ),
      promptRule: ({ what }) =>
        `Before you call ${what} for the cheapest or earliest item, compare all items of the result.`,
      runsWith: ['calls', 'user_turns'],
    },
    rejected_call_claimed: {
      title: 'Reported the effect of a call that a person had rejected',
      impact: 'warning',
      businessImpact: 'The user believes that something was done, although it was rejected.',
      maturity: fact(
        'A person rejected the call, and the answer gives a value that only this call has, without a negation.',
      ),
      promptRule: ({ what }) => `When a person rejects ${what}, say that it was not done.`,
    },
  },
});
