import type { Trace } from '../../core/trace.ts';
import type { QuestionOptions } from '../_kit/define.ts';
import { type Material, type Question, questionAbout } from '../_kit/question.ts';
import { conversation } from '../_readings/conduct/conversation.ts';

const WAS_WITHHELD =
  'One agent of a team had found a value. Does the later question of another agent ask for that very value, of the same thing or person, although none of the messages in between says it? Say no if the question asks for something else, or if a message passes the value on in other words.';

export function withholdingQuestions(trace: Trace, { drafts }: QuestionOptions): Question[] {
  return drafts.map((draft) => questionAbout(draft, WAS_WITHHELD, materialOf(trace, draft)));
}

function materialOf(trace: Trace, { steps, evidence }: QuestionOptions['drafts'][number]): Material[] {
  const [found, question] = evidence;
  const [first = 0, last = first] = steps;
  const between = conversation(trace).filter(({ step }) => step > first && step < last);
  return [
    { label: 'the value that was found', text: `${found?.path ?? ''}: ${found?.quote ?? ''}` },
    { label: 'the later question', text: question?.quote ?? '' },
    {
      label: 'the messages in between',
      text: between.map(({ agent, text }) => `${agent ?? ''}: ${text}`).join('\n\n'),
    },
  ];
}
