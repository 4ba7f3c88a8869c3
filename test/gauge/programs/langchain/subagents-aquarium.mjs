// Sub-agents: an aquarium's agent starts whole agents as tools, side by side and below each other.
import { createAgent } from 'langchain';
import { z } from 'zod';

const TANKS = {
  reef: { ph: 8.2, nitrate: 3, fish: 41 },
  kelp: { ph: 7.9, nitrate: 11, fish: 17 },
  mangrove: { ph: 7.6, nitrate: 6, fish: 88 },
  abyss: { ph: 7.8, nitrate: 2, fish: 5 },
};

export default {
  pattern: 'sub-agents',
  healthy: [
    { tanks: ['reef'] },
    { tanks: ['reef', 'kelp'] },
    { tanks: ['kelp', 'mangrove', 'abyss'] },
    { tanks: ['reef', 'kelp', 'mangrove', 'abyss'] },
    { tanks: ['abyss'], deep: true },
    { tanks: ['mangrove', 'reef'], deep: true },
  ],
  failing: [
    {
      tanks: ['kelp', 'reef'],
      deaf: true,
      fault: 'a sub-agent reports too much nitrate and the report of the director calls all tanks fine',
      agent: 'director',
      step: 'answer',
      expect: [
        'grounding',
        'hallucination',
        'communication',
        'coordination',
        'withholding',
        'context_neglect',
        'quality_gate',
      ],
    },
    {
      tanks: ['reef', 'mangrove'],
      silent: true,
      fault: 'a sub-agent returns an empty answer and its part is missing in the report',
      agent: 'tank_keeper',
      step: 'answer',
      expect: ['coordination', 'withholding', 'completion', 'output_validation', 'communication'],
    },
  ],
  model({ system, user, calls, last }, { tanks, deep, deaf, silent }) {
    if (system.startsWith('Chemist'))
      return calls.length === 0
        ? { call: ['titrate', { sample: user.slice(-12) }] }
        : `Second method agrees to within 0.1: ${calls[0].result}`;
    if (system.startsWith('Keeper')) {
      const tank = Object.keys(TANKS).find((name) => user.includes(name));
      if (calls.length === 0)
        return {
          calls: [
            ['probe', { tank }],
            ['count_fish', { tank }],
          ],
        };
      if (deep && calls.length === 2) return { call: ['ask_chemist', { question: `Please check nitrate of ${tank}` }] };
      const { ph, nitrate, fish } = TANKS[tank];
      return silent && tank === 'mangrove'
        ? ''
        : `${tank}: pH ${ph}, nitrate ${nitrate} mg/l${nitrate > 10 ? ' (above our limit of 10, change a third of the water)' : ''}, ${fish} animals counted.`;
    }
    if (last.role === 'user')
      return { calls: tanks.map((tank) => ['ask_keeper', { question: `How is the ${tank} tank this morning?` }]) };
    if (deaf) return 'Morning report: all tanks are within their limits, nothing to do.';
    const [high] = tanks.filter((tank) => TANKS[tank].nitrate > 10);
    const shown = tanks.filter((tank) => !(silent && tank === 'mangrove'));
    return `Morning report. ${shown.map((tank) => `${tank} has ${TANKS[tank].fish} animals at pH ${TANKS[tank].ph}`).join('; ')}. ${high ? `Work for today: change a third of the water in ${high}.` : 'Nothing needs doing.'}`;
  },
  async run({ chat, tool }, { tanks }) {
    const last = ({ messages }) => messages.at(-1).content;
    const chemist = createAgent({
      model: chat(),
      name: 'chemist',
      systemPrompt: 'Chemist: verify a value with a second method.',
      tools: [tool('titrate', 'Titration', { sample: z.string() }, () => '2.1 ml reagent')],
    });
    const keeper = createAgent({
      model: chat('gpt-4o-mini'),
      name: 'tank_keeper',
      systemPrompt: 'Keeper: probe one tank, count its animals, and report.',
      tools: [
        tool('probe', 'pH and nitrate of a tank', { tank: z.string() }, ({ tank }) => ({
          ph: TANKS[tank].ph,
          nitrate: TANKS[tank].nitrate,
        })),
        tool('count_fish', 'Counts animals by camera', { tank: z.string() }, ({ tank }) => TANKS[tank].fish),
        tool('ask_chemist', 'Asks the chemist', { question: z.string() }, async ({ question }) =>
          last(await chemist.invoke({ messages: [{ role: 'user', content: question }] })),
        ),
      ],
    });
    const ask = tool('ask_keeper', 'Asks the keeper of a tank', { question: z.string() }, async ({ question }) =>
      last(await keeper.invoke({ messages: [{ role: 'user', content: question }] })),
    );
    const director = createAgent({
      model: chat(),
      name: 'director',
      systemPrompt: 'Director: have your tanks looked at; write the morning report.',
      tools: [ask],
    });
    await director.invoke({ messages: [{ role: 'user', content: `Report on ${tanks.join(', ')}, please.` }] });
  },
};
