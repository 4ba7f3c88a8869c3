import type { Trace } from '../../core/trace.ts';
import type { QuestionOptions } from '../_kit/define.ts';
import { type Question, questionAbout } from '../_kit/question.ts';
import { conversation } from '../_readings/conduct/conversation.ts';

const IS_OFF_TOPIC =
  'Is the answer about something else than what the user asked for? Say yes only if it does not take up the request at all. Say no if it takes the request up, even in other words, in part, wrongly, or to refuse it.';

/** One question per detection: common words are weak evidence of a common subject, and a model can compare the meaning. */
export function derailmentQuestions(trace: Trace, { drafts }: QuestionOptions): Question[] {
  const unrelated = drafts.filter(({ subtype }) => subtype === 'unrelated_answer');
  return unrelated.map((draft) =>
    questionAbout(draft, IS_OFF_TOPIC, [
      { label: 'what the user asked for', text: requestText(trace) },
      { label: 'the answer', text: trace.steps[draft.steps[0]!]!.output },
    ]),
  );
}

function requestText(trace: Trace): string {
  const users = conversation(trace).filter(({ by }) => by === 'user');
  return [...new Set([trace.task ?? '', ...users.map(({ text }) => text)])].join('\n\n').trim();
}
