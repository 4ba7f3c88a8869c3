// Retrieval with a follow-up: one search for the trail, one for its condition; answers in the language of the question.
import { z } from 'zod';

const TRAILS = {
  Krähenstieg: { km: 11.4, up: 640, dogs: true, state: 'open; footbridge new since 2025' },
  'Sentiero dei Fari': { km: 7.2, up: 210, dogs: true, state: 'tratto finale chiuso per frana fino a giugno' },
  'Loch Path': { km: 18.9, up: 320, dogs: false, state: 'boggy after kilometre 9, otherwise fine' },
  'Tur na Fløya': { km: 5.1, up: 590, dogs: true, state: 'snø over 400 meter' },
  'درب الوادي': { km: 9.6, up: 150, dogs: false, state: 'سالك، الماء متوفر عند الكيلومتر الرابع' },
};

export default {
  pattern: 'retrieval',
  healthy: [
    {
      trail: 'Krähenstieg',
      ask: 'Wie lang ist der Krähenstieg, und kann der Hund mit?',
      say: '11,4 km mit 640 Höhenmetern, Hunde sind erlaubt. Der Weg ist offen, die Brücke ist neu.',
    },
    {
      trail: 'Sentiero dei Fari',
      ask: 'Si può fare il Sentiero dei Fari questa settimana?',
      say: 'Solo in parte: l’ultimo tratto è chiuso per frana fino a giugno. In tutto sono 7,2 km.',
    },
    {
      trail: 'Loch Path',
      ask: 'Is the Loch Path all right in trainers?',
      say: 'Rather not: it gets boggy after kilometre 9 of 18.9.',
    },
    {
      trail: 'Tur na Fløya',
      ask: 'Er det snø på Tur na Fløya?',
      say: 'Ja, over 400 meter. Turen er 5,1 km med 590 høydemeter.',
    },
    {
      trail: 'درب الوادي',
      ask: 'هل درب الوادي سالك الآن؟',
      say: 'نعم، هو سالك، وتجد الماء عند الكيلومتر الرابع من أصل 9.6.',
    },
    { trail: 'Loch Path', ask: 'May I bring my spaniel to the Loch Path?', say: 'Sorry, no dogs there.', brief: true },
    {
      trail: 'Totenweg',
      ask: 'Gibt es den Totenweg noch?',
      say: 'Unter diesem Namen ist kein Weg verzeichnet.',
      brief: true,
    },
  ],
  failing: [
    {
      trail: 'Krähenstieg',
      ask: 'How many metres up is the Krähenstieg?',
      say: 'The Krähenstieg climbs 1,120 metres over 4.8 kilometres.',
      fault: 'length and climb contradict the trail that was found',
      agent: 'ranger',
      step: 'answer',
      expect: ['grounding', 'hallucination'],
    },
    {
      trail: 'Sentiero dei Fari',
      ask: 'Can we walk all of the Sentiero dei Fari tomorrow?',
      say: 'Yes, the whole path can be walked to its end.',
      fault: 'the answer denies the closure that the tool reported',
      agent: 'ranger',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'withholding', 'context_neglect'],
    },
  ],
  model({ calls }, { trail, brief, say }) {
    if (calls.length === 0) return { call: ['find_trail', { name: trail }] };
    if (calls.length === 1 && !brief) return { call: ['trail_state', { name: trail }] };
    return say;
  },
  async run({ agent, app, tool }, { ask }) {
    const tools = {
      find_trail: tool('find_trail', 'Length, climb and rules of a trail', { name: z.string() }, ({ name }) => {
        const { state: _, ...facts } = TRAILS[name] ?? {};
        return TRAILS[name] ? { name, ...facts } : { name, found: false };
      }),
      trail_state: tool(
        'trail_state',
        'Present condition of a trail',
        { name: z.string() },
        ({ name }) => TRAILS[name].state,
      ),
    };
    const ranger = agent('ranger', 'You are a ranger. Answer briefly, in the language of the question.', { tools });
    await app({ agents: { ranger } }).getAgent('ranger').generate(ask, { maxSteps: 4 });
  },
};
