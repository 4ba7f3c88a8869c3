import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, QuestionOptions } from '../_kit/define.ts';
import { type Material, type Question, questionAbout } from '../_kit/question.ts';
import { conversation } from '../_readings/conduct/conversation.ts';

const QUESTION_TEXTS: Readonly<Record<string, string>> = {
  missing_recipient:
    'One agent of a team handed work or a message to the addressee named here. Was that meant for another agent, and did nobody take it up? Say no if the addressee is a tool, a person, a step or a group that the later messages show at work under another name, or if nothing was left to do.',
  unanswered_question:
    'One agent of a team put the question here to the addressee named here. Is it a question that needs an answer, and do all later messages leave it open? Say no if it is rhetorical or polite, or if anybody answers it later.',
};

/** Number of later messages to show; an answer is usually close to its question. */
const MAX_MESSAGES = 12;

export function communicationQuestions(trace: Trace, { drafts }: QuestionOptions): Question[] {
  return drafts.flatMap((draft) => {
    const ask = QUESTION_TEXTS[draft.subtype];
    return ask === undefined ? [] : [questionAbout(draft, ask, materialOf(trace, draft))];
  });
}

function materialOf(trace: Trace, { steps, evidence }: DetectionDraft): Material[] {
  const [first = 0] = steps;
  const later = conversation(trace).filter(({ step }) => step > first);
  const { quote = '', value = '' } = evidence[0] ?? {};
  return [
    { label: 'the addressee', text: String(value) },
    { label: 'the message', text: trace.steps[first]!.output || (quote ?? '') },
    { label: 'the agents of the run', text: trace.agents.slice(0, 50).join(', ') },
    {
      label: 'the later messages',
      text: later
        .slice(0, MAX_MESSAGES)
        .map(({ agent, by, text }) => `${agent ?? by}: ${text}`)
        .join('\n\n'),
    },
  ];
}
