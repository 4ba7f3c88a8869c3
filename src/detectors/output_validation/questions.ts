import type { Trace } from '../../core/trace.ts';
import type { QuestionOptions } from '../_kit/define.ts';
import { type Question, questionAbout } from '../_kit/question.ts';
import { askedForm } from './asked-form.ts';

const NEEDS_FORM =
  'Does the request want the answer itself in a fixed form that a program will read (such as JSON, or a bare number), and does the answer break that form so that the program would fail? Say no if the request only speaks of such data, wants it in a file or a call, or leaves the form of the answer open.';

/** Breaches of a declared schema and of checks are facts; only what a sentence asked for can be misread. */
const MISREADABLE = new Set(['not_json', 'broken_json', 'not_a_number']);

export function formQuestions(trace: Trace, { findings }: QuestionOptions): Question[] {
  return findings
    .filter(({ subtype }) => MISREADABLE.has(subtype))
    .map((finding) =>
      questionAbout(finding, NEEDS_FORM, [
        { label: 'the request', text: askedForm(trace) },
        { label: 'the answer', text: trace.finalOutput ?? trace.steps[finding.steps[0]!]!.output },
      ]),
    );
}
