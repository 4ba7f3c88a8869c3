// Retrieval: visitors of a museum ask, the agent searches an archive and answers with the catalogue number.
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';

const ARCHIVE = [
  [
    'MH-0417',
    'Brass sextant made by Ebenezer Rust of Aberdeen in 1788. Gift of the harbour board, shown in gallery 3.',
  ],
  [
    'MH-0552',
    'Logbook of the whaler Thorvald, 1831 to 1834. Two leaves are missing; the ink was conserved in 2009. Reading room only.',
  ],
  [
    'MH-1103',
    'Figurehead of a woman with a lute, oak, about 1760. Found in Loch Ryan in 1912. Shown in the entrance hall.',
  ],
  ['MH-1288', 'Deep-sea lead of 28 pounds with its line of 120 fathoms. On loan to Stornoway until October.'],
  ['MH-2045', 'Pair of carved tusks with sails and an anchor, signed “J. Pell, Disko Bay”. In storage, not shown.'],
];
const pick = (question) =>
  ARCHIVE.filter(([, text]) =>
    question
      .toLowerCase()
      .split(/\W+/)
      .some((word) => word.length > 4 && text.toLowerCase().includes(word)),
  );

export default {
  pattern: 'retrieval',
  healthy: [
    {
      ask: 'Who made the old sextant that my school class saw?',
      say: 'Ebenezer Rust of Aberdeen made it, in 1788. You find it in gallery 3 under number MH-0417.',
    },
    {
      ask: 'Can I read the logbook of the Thorvald at home?',
      say: 'I am afraid not: the logbook (MH-0552) may only be read in our reading room.',
    },
    {
      ask: 'Where was the figurehead with the lute found, and in which year?',
      say: 'In Loch Ryan, in 1912. It is catalogued as MH-1103 and greets you in the entrance hall.',
    },
    {
      ask: 'How long is the line of the deep-sea lead?',
      say: '120 fathoms. Please note that the lead (MH-1288) is on loan to Stornoway until October.',
    },
    { ask: 'Are the carved tusks on show this summer?', say: 'They are not; object MH-2045 is in storage at present.' },
    {
      ask: 'Do you keep anything about submarines?',
      say: 'The archive search gives nothing on submarines. The curator on duty may know of other collections nearby.',
    },
    {
      ask: 'Is there something signed by a man named Pell?',
      again: 'carved tusks',
      say: 'Yes. A pair of carved tusks bears the signature “J. Pell, Disko Bay” (MH-2045).',
    },
    {
      ask: 'What does the whaler’s logbook cover, and is it complete?',
      say: 'It covers 1831 to 1834. It is not complete, as two leaves are missing (MH-0552).',
    },
  ],
  failing: [
    {
      ask: 'In what year was the lute figurehead recovered from Loch Ryan?',
      say: 'It was recovered in 1847 by the crew of a herring boat, as entry MH-1103 records.',
      fault: 'the answer contradicts the document that was found',
      agent: 'archive-desk',
      step: 'answer',
      expect: ['grounding', 'hallucination'],
    },
  ],
  model({ calls }, { ask, again, say }) {
    if (calls.length === 0)
      return { call: ['search_archive', { words: again ? 'signature Pell' : ask.replace('?', '') }] };
    if (again && calls.length === 1)
      return {
        text: 'Nothing under the name alone; trying the object itself.',
        call: ['search_archive', { words: again }],
      };
    return say;
  },
  run: ({ chat, tool, named }, { ask }) =>
    generateText({
      model: chat(),
      system: 'You answer visitors of the Maritime House. Use the archive; give the catalogue number of what you cite.',
      prompt: ask,
      stopWhen: isStepCount(5),
      tools: {
        search_archive: tool('Full-text search of the collection', { words: z.string() }, ({ words }) =>
          words.startsWith('signature') ? [] : pick(words).map(([number, text]) => ({ number, text })),
        ),
      },
      ...named('archive-desk'),
    }),
};
