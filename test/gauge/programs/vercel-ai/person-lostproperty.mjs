// Hand-off to a person: the desk for lost property solves what it can and gives the rest to a named colleague.
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';

const FOUND = [
  { id: 'LP-3301', what: 'green umbrella', line: 'U6' },
  { id: 'LP-3307', what: 'clarinet in a case', line: 'S2' },
  { id: 'LP-3312', what: 'left roller skate', line: 'bus 71' },
  { id: 'LP-3318', what: 'denture', line: 'U1' },
];

export default {
  pattern: 'hand-off',
  healthy: [
    {
      ask: 'I left a green umbrella on the U6 yesterday.',
      word: 'umbrella',
      say: 'It was handed in: LP-3301. You can fetch it at Hessenplatz until 8 p.m.',
    },
    {
      ask: 'My clarinet was stolen on the S2, and the police want a statement of yours.',
      word: 'clarinet',
      person: 'Mr. Adeyemi',
      say: 'A clarinet in a case is here (LP-3307). As for the statement, Mr. Adeyemi will write to you today.',
    },
    {
      ask: 'Where is my wedding ring??',
      word: 'ring',
      person: 'Ms. Kovács',
      say: 'No ring has been handed in so far. Ms. Kovács keeps the list of valuables and will call you.',
    },
    {
      ask: 'Ich vermisse einen linken Rollschuh.',
      word: 'skate',
      say: 'Der linke Rollschuh aus dem Bus 71 liegt unter LP-3312 bereit.',
    },
    {
      ask: 'Someone of yours was very rude to me on the phone.',
      person: 'Ms. Kovács',
      say: 'I am sorry to hear that. Ms. Kovács, who leads the desk, has your note and will ring you tomorrow morning.',
    },
    {
      ask: 'Is the denture from the U1 still there? It belongs to my aunt.',
      word: 'denture',
      say: 'It is. Ask for LP-3318, and bring something that shows your aunt’s name.',
    },
    {
      ask: 'Мне нужен человек, который говорит по-русски.',
      person: 'Mr. Adeyemi',
      say: 'Вам перезвонит господин Адейеми, он говорит по-русски.',
    },
  ],
  failing: [
    {
      ask: 'I must speak with a person about an accident at your counter.',
      promise: true,
      say: 'I have passed you on to a colleague, who will call you within the hour.',
      fault: 'says that it handed the case to a person, without a call of the tool',
      agent: 'lost-property',
      step: 'answer',
      expect: [
        'reasoning_action_mismatch',
        'coordination',
        'hallucination',
        'grounding',
        'quality_gate',
        'completion',
        'withholding',
      ],
    },
    {
      ask: 'My passport was on the bus 71, I fly tonight!',
      person: 'Ms. Kovács',
      offline: true,
      say: 'Ms. Kovács has your case and is calling you now.',
      fault: 'the hand-off fails and the agent says that it succeeded',
      agent: 'lost-property',
      step: 'give_to_colleague',
      expect: ['tool_failure', 'coordination', 'grounding', 'hallucination', 'reasoning_action_mismatch'],
    },
  ],
  model({ calls }, { ask, word, person, say }) {
    const made = (name) => calls.some((call) => call.name === name);
    if (word && !made('search_found')) return { call: ['search_found', { word }] };
    if (person && !made('give_to_colleague'))
      return { call: ['give_to_colleague', { colleague: person, summary: ask }] };
    return say;
  },
  run: ({ chat, tool, named }, { ask, offline }) =>
    generateText({
      model: chat(),
      system:
        'Desk for lost property of the city transport. Complaints, valuables and the police go to Ms. Kovács or Mr. Adeyemi.',
      prompt: ask,
      stopWhen: isStepCount(5),
      tools: {
        search_found: tool('Searches what was handed in', { word: z.string() }, ({ word }) =>
          FOUND.filter(({ what }) => what.includes(word)),
        ),
        give_to_colleague: tool(
          'Hands a case to a person',
          { colleague: z.string(), summary: z.string() },
          ({ colleague }) => {
            if (offline) throw new Error('409 Conflict: Kovács is on leave until 30 March, case not created');
            return { case: `C-${100 + ask.length}`, owner: colleague, state: 'open' };
          },
        ),
      },
      ...named('lost-property'),
    }),
};
