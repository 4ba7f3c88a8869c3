// Retries that recover: an observatory's agent runs into limits of the catalogue service and changes its query until it works.
import { createAgent } from 'langchain';
import { z } from 'zod';

export default {
  pattern: 'retries that recover',
  healthy: [
    { star: 'HD 209458', wide: [30, 10], mag: 7.65 },
    { star: 'TRAPPIST-1', wide: [60, 20, 5], mag: 18.8 },
    { star: 'Gliese 581', wide: [15], mag: 10.56 },
    { star: 'WASP-12', wide: [45, 45, 12], mag: 11.69, busy: true },
    { star: 'Kepler-16', wide: [20, 8], mag: 11.76 },
    { star: 'Proxima Cen', wide: [90, 30, 10, 4], mag: 11.13 },
    { star: 'HR 8799', wide: [25, 12], mag: 5.96 },
  ],
  failing: [
    {
      star: 'K2-18',
      wide: [40, 40, 40, 40, 40, 40, 40, 40],
      mag: 13.5,
      stubborn: true,
      fault: 'sends the refused query eight times without a change and gives up',
      agent: 'catalogue_agent',
      step: 'cone_search',
      expect: ['loop', 'tool_failure'],
    },
    {
      star: 'LHS 1140',
      wide: [50],
      mag: 14.18,
      guessed: 9.2,
      fault: 'the query is refused and the answer gives a magnitude all the same',
      agent: 'catalogue_agent',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination', 'reasoning_action_mismatch'],
    },
  ],
  model({ calls, result }, { star, wide, mag, stubborn, guessed }) {
    const at = calls.length;
    if (at === 0) return { call: ['cone_search', { star, arcmin: wide[0] }] };
    const refused = /400|503/.test(result);
    if (refused && at < wide.length)
      return {
        text: stubborn
          ? ''
          : [
              `Too many rows for ${wide[at - 1]} arcminutes; I narrow the cone.`,
              'Still over the limit.',
              'One more step down.',
            ][(at - 1) % 3],
        call: ['cone_search', { star, arcmin: wide[at] }],
      };
    if (guessed) return `The V magnitude of ${star} is ${guessed}, so a small telescope will do.`;
    if (refused) return `I could not get ${star} from the catalogue.`;
    return `${star} has V = ${mag}${mag > 10 ? '; use the 60 cm mirror' : '; the small refractor is enough'}.`;
  },
  async run({ chat, tool }, { star, mag, busy, guessed, stubborn }) {
    let attempts = 0;
    const search = tool(
      'cone_search',
      'Searches the star catalogue around a name',
      { star: z.string(), arcmin: z.number() },
      ({ arcmin }) => {
        attempts += 1;
        if (guessed || stubborn) return `HTTP 400 query exceeds 5000 rows (matched ${arcmin * 310}); reduce the radius`;
        if (busy && attempts === 1) return 'HTTP 503 mirror is synchronising, retry';
        return arcmin > 15
          ? `HTTP 400 query exceeds 5000 rows (matched ${arcmin * 310}); reduce the radius`
          : { name: star, vmag: mag, rows: 1 };
      },
    );
    const agent = createAgent({
      model: chat('gpt-4o-mini'),
      tools: [search],
      name: 'catalogue_agent',
      systemPrompt: 'You look stars up for the night shift and name the telescope to use.',
    });
    await agent.invoke(
      { messages: [{ role: 'user', content: `How bright is ${star} in V, and which telescope do I open?` }] },
      { recursionLimit: 40 },
    );
  },
};
