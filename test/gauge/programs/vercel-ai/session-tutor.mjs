// Long session: a pupil learns fractions over many messages; the tutor looks exercises up and keeps the thread.
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';

const LESSON = [
  [
    'Hi, I have a test on fractions on Friday and I understand nothing.',
    'Then we begin with a pizza. If it is cut in eight and you eat three pieces, which part is gone?',
  ],
  ['3/8?', 'Exactly, three eighths. And what is left over?'],
  ['5/8', 'Right. Now something new: two thirds and one sixth. What would you do first?'],
  [
    'add the tops and the bottoms, so 3/9',
    'That is the classic trap. 3/9 is one third, and that would be less than the two thirds you began with! The pieces must be equally big before you count them.',
  ],
  ['ok so sixths?', 'Yes, sixths. Turn the two thirds into sixths.'],
  [
    '4/6',
    'Good. Four sixths plus one sixth are five sixths. I have put three exercises of that kind on your sheet.',
    'addition',
  ],
  ['the first one is 7/12, right?', '1/3 + 1/4 = 4/12 + 3/12 = 7/12. Right!'],
  ['second: 11/10', 'Correct as well, and more than a whole: 1 and 1/10.'],
  ['third: 2/14', 'Careful. 1/2 is 7/14 and 1/7 is 2/14, so together 9/14.'],
  ['i hate this', 'I can imagine. You got two of three, and ten minutes ago it was none. A break of five minutes?'],
  ['back. what about multiplying', 'That is easier: top times top, bottom times bottom. Try 2/3 · 3/5.'],
  ['6/15', 'Right, and shortened it is 2/5. Here come three more.', 'multiplication'],
  ['1/2, 3/10, 1/6', 'All three are correct.'],
  ['and dividing? we did that with flipping', 'Yes: turn the second one over and multiply. 3/4 : 1/2 becomes 3/4 · 2.'],
  ['6/4 so 1 1/2', 'Perfect. What do you want to repeat before Friday?'],
  ['the adding', 'Then do the sheet tomorrow at the same time; I have put it together.', 'addition'],
  ['thanks!!', 'You are welcome. Sleep well, and no pizza in the test.'],
];

export default {
  pattern: 'long session',
  healthy: [
    { length: 6 },
    { length: 9 },
    { length: 12 },
    { length: 15 },
    { length: 17 },
    { length: 10, from: 4 },
    { length: 8, from: 9 },
  ],
  failing: [
    {
      length: 8,
      forgetful: true,
      fault: 'from the fifth message on the tutor has forgotten the lesson and introduces itself',
      agent: 'tutor',
      step: 'answer',
      expect: ['context_neglect', 'derailment', 'loop', 'coordination', 'communication'],
    },
    {
      length: 12,
      broken: true,
      fault: 'the exercise service fails in each lookup and the tutor claims to have sent the sheet',
      agent: 'tutor',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination', 'reasoning_action_mismatch', 'quality_gate'],
    },
  ],
  model({ users, user, last }, { forgetful }) {
    const [, answer, kind] = LESSON.find(([message]) => message === user);
    if (forgetful && users.length > 4) return 'Hello! I am your mathematics tutor. What would you like to learn today?';
    return kind && last.role === 'user' ? { call: ['find_exercises', { topic: kind, grade: 6 }] } : answer;
  },
  async run({ chat, tool, named, within }, { length, from = 0, broken }) {
    const messages = [];
    const find = tool('Finds exercises', { topic: z.string(), grade: z.number() }, ({ topic }) => {
      if (broken) throw new Error('getaddrinfo ENOTFOUND exercises.school.internal');
      return topic === 'addition' ? ['1/3 + 1/4', '3/5 + 1/2', '1/2 + 1/7'] : ['3/4 · 2/3', '1/2 · 3/5', '1/4 · 2/3'];
    });
    for (const [content] of LESSON.slice(from, from + length)) {
      messages.push({ role: 'user', content });
      await within('lesson-turn', async () => {
        const { response } = await generateText({
          model: chat('gpt-4o-mini'),
          system: 'You are a patient tutor for a pupil in grade 6. Never give the result away at once.',
          messages,
          stopWhen: isStepCount(3),
          tools: { find_exercises: find },
          ...named('tutor', { metadata: { sessionId: `pupil-${from}-${length}` } }),
        });
        messages.push(...response.messages);
      });
    }
  },
};
