// Retrieval: an index over the by-laws of a housing association; a query engine answers from the passages found.
import { Document, getResponseSynthesizer, SentenceSplitter, Settings, VectorStoreIndex } from 'llamaindex';

const BYLAWS = [
  '§ 4 Pets. Cats and caged animals need no permission. Dogs need the consent of the board, which must answer within 21 days.',
  '§ 7 Laundry. The drying loft is shared by week; the list hangs at the entrance. Machines must be silent between 21:30 and 7:00.',
  '§ 11 Subletting. A flat may be sublet for up to six months in three years after written notice to the board.',
  '§ 13 Balconies. Grills with charcoal are not allowed. Electric grills may be used until 22:00. Awnings must be sand-coloured.',
  '§ 18 Reserve. Each flat pays 1.85 a month for every square metre into the reserve; the general meeting may change the amount.',
];

export default {
  pattern: 'retrieval',
  healthy: [
    {
      ask: 'Do I need permission for a dog?',
      say: 'Yes. A dog needs the consent of the board, and the board has 21 days to answer (§ 4).',
    },
    {
      ask: 'May I run the washing machine at eleven at night?',
      say: 'No, the machines must be silent from 21:30 until 7:00 according to § 7.',
    },
    {
      ask: 'For how long can I sublet my flat?',
      say: 'Up to six months within three years, after written notice (§ 11).',
    },
    {
      ask: 'Is a charcoal grill on the balcony allowed?',
      say: 'Charcoal is not allowed; an electric grill is, until 22:00 (§ 13).',
    },
    {
      ask: 'How much goes into the reserve for each square metre?',
      say: '1.85 a month for every square metre, unless the general meeting decides otherwise (§ 18).',
    },
    { ask: 'Which colour must an awning have?', say: 'Sand-coloured, says § 13.' },
    { ask: 'Who repairs the lift?', say: 'The passages that I was given do not say who repairs the lift.' },
  ],
  failing: [
    {
      ask: 'How many days does the board have to answer about a dog?',
      say: 'The board has 90 days to answer a request about a dog (§ 4).',
      fault: 'the answer contradicts the retrieved passage',
      agent: null,
      step: 'answer',
      expect: ['grounding', 'hallucination'],
    },
  ],
  model: (_turn, { say }) => say,
  async run({ chat, embed, within }, { ask }) {
    Settings.llm = chat('gpt-4o-mini');
    Settings.embedModel = embed();
    Settings.nodeParser = new SentenceSplitter({ chunkSize: 200, chunkOverlap: 10 });
    await within('workflow', 'bylaw_question', ask, async () => {
      const index = await VectorStoreIndex.fromDocuments(
        BYLAWS.map((text, at) => new Document({ text, id_: `section-${at}` })),
      );
      const engine = index.asQueryEngine({ similarityTopK: 2, responseSynthesizer: getResponseSynthesizer('compact') });
      return (await engine.query({ query: ask })).toString();
    });
  },
};
