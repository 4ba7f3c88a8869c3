import type { Trace } from '../../core/trace.ts';
import type { QuestionOptions } from '../_kit/define.ts';
import { type Question, questionAbout } from '../_kit/question.ts';
import { requestedFormat } from './requested-format.ts';

const NEEDS_FORM =
  'Does the request want the answer itself in a fixed form that a program will read (such as JSON, or a bare number), and does the answer break that form so that the program would fail? Say no if the request only speaks of such data, wants it in a file or a call, or leaves the form of the answer open.';

/**
 * Subtypes that a rule may misread. Violations of a declared schema and of checks are facts; a format that was requested in
 * prose is not.
 */
const MISREADABLE = new Set(['not_json', 'broken_json', 'not_a_number']);

export function formQuestions(trace: Trace, { drafts }: QuestionOptions): Question[] {
  return drafts
    .filter(({ subtype }) => MISREADABLE.has(subtype))
    .map((draft) =>
      questionAbout(draft, NEEDS_FORM, [
        { label: 'the request', text: requestedFormat(trace) },
        { label: 'the answer', text: trace.finalOutput ?? trace.steps[draft.steps[0]!]!.output },
      ]),
    );
}
