import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import { VERBATIM_RULE } from '../_remedies/rule-texts.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const groundingManifest = defineManifest({
  type: 'grounding',
  title: 'Answer without source',
  failureModes: ['F15'],
  needs: ['steps', 'text', 'settled', 'complete'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['answer'], isCalibratedByOutcome: true },
  subtypes: {
    invented_link: {
      title: 'Link that does not occur in the run',
      impact: 'warning',
      businessImpact: 'The link may lead nowhere or to a wrong page.',
      maturity: fact('No recorded text of the run contains the link.'),
      promptRule: () => `${VERBATIM_RULE}; otherwise say that you do not have it.`,
      runsWith: ['answer_links'],
    },
    invented_identifier: {
      title: 'Address or identifier that does not occur in the run',
      impact: 'warning',
      businessImpact: 'Orders, bookings or messages may refer to something that does not exist.',
      maturity: fact('No recorded text of the run contains the identifier.'),
      promptRule: () => `${VERBATIM_RULE}; otherwise say that you do not have it.`,
      runsWith: ['answer_identifiers'],
    },
    invented_quote: {
      title: 'Quotation that does not occur in the run',
      impact: 'warning',
      businessImpact: 'A source may be quoted with words that it does not contain.',
      maturity: preview,
      promptRule: () => `${VERBATIM_RULE}; otherwise say that you do not have it.`,
      runsWith: ['answer_quotes'],
    },
    value_without_result: {
      title: 'Value in an answer although every call failed',
      impact: 'warning',
      businessImpact: 'The user takes a value for measured or looked up that nothing returned.',
      maturity: fact('Every recorded call for the value failed, and no recorded text of the run contains the value.'),
      promptRule: () =>
        'If a tool returns an error, say so. State a value only if a result of this conversation contains it.',
      runsWith: ['only_failed_calls', 'answer'],
    },
    unsupported_number: {
      title: 'Number that does not occur in the run',
      impact: 'info',
      businessImpact: 'A figure in the answer may be wrong.',
      maturity: preview,
      promptRule: () => `${VERBATIM_RULE}; otherwise say that you do not have it.`,
      runsWith: ['answer_numbers'],
    },
    contradicts_result: {
      title: 'The answer gives another value than the result',
      impact: 'warning',
      businessImpact: 'The user gets a wrong value, although the run had looked up the right one.',
      maturity: preview,
      promptRule: () =>
        'Copy each value from the result that gives it, and compare your answer with it before you send it.',
      runsWith: ['calls', 'answer'],
    },
  },
});
