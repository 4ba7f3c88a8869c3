// Polling beside other work: while a courier is on the road the agent asks where he is and prepares papers in between.
import { createAgent } from 'langchain';
import { z } from 'zod';

const PAPERS = ['customs_form', 'label', 'receipt'];

export default {
  pattern: 'polling',
  healthy: [
    { parcel: 'serum 4 °C', stops: ['depot', 'depot', 'bridge', 'gate'] },
    { parcel: 'Cello', stops: ['Lager', 'Lager', 'Lager', 'Autobahn', 'Autobahn', 'Tor'] },
    { parcel: 'keys', stops: ['gate'] },
    { parcel: 'sourdough', stops: ['bakery', 'tram 4', 'tram 4', 'gate'] },
    { parcel: 'contrat signé', stops: ['étude', 'étude', 'gare', 'porte'] },
    { parcel: 'spare gyroscope', stops: ['hangar', 'hangar', 'hangar', 'hangar', 'hangar', 'gate'] },
  ],
  failing: [
    {
      parcel: 'blood bags',
      stops: Array(12).fill('unknown'),
      fault: 'asks a tracker that knows nothing twelve times and then says that the parcel has arrived',
      agent: 'porter',
      step: 'answer',
      expect: ['loop', 'grounding', 'hallucination', 'quality_gate', 'completion'],
    },
  ],
  model({ calls, result }, { parcel, stops }) {
    const polls = calls.filter(({ name }) => name === 'where_is').length;
    const papers = calls.filter(({ name }) => name === 'prepare').length;
    const end = stops.at(-1);
    if (polls < stops.length) {
      // Between two questions there is time for a paper.
      if (polls > 0 && papers < PAPERS.length && papers < polls && stops.length > 3)
        return { call: ['prepare', { paper: PAPERS[papers] }] };
      return { call: ['where_is', { parcel }] };
    }
    const where = result.startsWith('{') ? end : result;
    return `${parcel} has arrived (${end === 'unknown' ? 'gate' : where}). ${papers > 0 ? `Ready: ${PAPERS.slice(0, papers).join(', ')}.` : 'No papers were needed.'}`;
  },
  async run({ chat, tool }, { parcel, stops }) {
    let at = 0;
    const tools = [
      tool(
        'where_is',
        'Position of the courier',
        { parcel: z.string() },
        () => stops[Math.min(at++, stops.length - 1)],
      ),
      tool('prepare', 'Prepares a paper', { paper: z.string() }, ({ paper }) => ({ paper, printed: true })),
    ];
    const agent = createAgent({
      model: chat('gpt-4o-mini'),
      tools,
      name: 'porter',
      systemPrompt: 'You are the porter. Follow the courier, prepare the papers, and report when the parcel is here.',
    });
    await agent.invoke(
      { messages: [{ role: 'user', content: `A courier brings ${parcel}. Tell me when it is here.` }] },
      { recursionLimit: 60 },
    );
  },
};
