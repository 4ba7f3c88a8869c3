// Hand-off between the agents of a workflow: the desk of a library passes readers to the reservation or the reading advice.
import { agent, multiAgent } from '@llamaindex/workflow';
import { z } from 'zod';

export default {
  pattern: 'hand-off',
  healthy: [
    {
      ask: 'Please reserve “The Peregrine” for card 80412.',
      to: 'reservations',
      title: 'The Peregrine',
      say: 'Reserved for card 80412. You are second in the queue, so about three weeks.',
    },
    {
      ask: 'My daughter is nine and loves volcanoes. Any book?',
      to: 'adviser',
      theme: 'volcanoes',
      say: '“Fire under Heimaey” on shelf J 551 is just right for nine.',
    },
    { ask: 'Ist „Die Wand“ gerade da?', to: 'reservations', title: 'Die Wand', say: 'Ja, im zweiten Stock unter HAU.' },
    { ask: 'When do you close today?', to: null, say: 'At seven this evening.' },
    {
      ask: 'Quelque chose de court sur les phares, en français ?',
      to: 'adviser',
      theme: 'phares',
      say: '« Gardiens de lumière », 96 pages, rayon 387.',
    },
    {
      ask: 'Cancel my reservation of Middlemarch, I bought it.',
      to: 'reservations',
      title: 'Middlemarch',
      say: 'It is cancelled, and the next reader will be glad.',
    },
    {
      ask: 'A thick novel for a long train journey?',
      to: 'adviser',
      theme: 'long novels',
      say: 'Try “The Cairo Trilogy”; the shelf is FIC MAH and all three volumes are in.',
    },
  ],
  failing: [
    {
      ask: 'Extend everything on card 77310 until the 30th.',
      to: 'reservations',
      title: '77310',
      bounce: true,
      fault: 'the agents hand the reader back and forth until the quota of the model is used up',
      agent: 'reservations',
      step: 'handOff',
      expect: ['loop', 'coordination'],
    },
    {
      ask: 'Have you got the new Atwood?',
      to: 'reservations',
      title: 'Atwood',
      wrong: true,
      say: 'Yes, two copies are on the shelf on the first floor.',
      fault: 'the answer contradicts the catalogue, which shows no copy',
      agent: 'reservations',
      step: 'answer',
      expect: ['grounding', 'hallucination'],
    },
  ],
  model({ system, calls, last, messages }, { to, title, theme, say, bounce }) {
    const me = /^(Desk|Reservations|Adviser)/.exec(system)[1].toLowerCase();
    const hand = (toAgent) => ({ call: ['handOff', { toAgent, reason: `asks about ${title ?? theme}` }] });
    const passed = messages.filter(({ text }) => text.includes('is now handling')).length;
    if (bounce && passed > 11)
      return {
        status: 429,
        error: 'You exceeded your current quota, please check your plan and billing details.',
        code: 'insufficient_quota',
      };
    if (bounce) return hand(me === 'reservations' ? 'desk' : 'reservations');
    if (me === 'desk') return to ? hand(to) : say;
    const own = me === 'adviser' ? ['shelf_search', { theme }] : ['catalogue', { title }];
    return calls.some(({ name }) => name === own[0]) || (last.role === 'tool' && last.text.startsWith('shelf'))
      ? say
      : { call: own };
  },
  async run({ chat, tool, within }, { ask, bounce }) {
    const holdings = {
      'The Peregrine': 'lent until 4 May; queue 1; reservation placed',
      'Die Wand': 'available, 2. Stock, HAU',
      Middlemarch: 'reservation removed',
      Atwood: 'ordered; 0 copies; queue 14',
    };
    const shelf = {
      volcanoes: 'Fire under Heimaey (J 551), age 8+',
      phares: 'Gardiens de lumière, 96 p., 387',
      'long novels': 'The Cairo Trilogy (FIC MAH), 3 vols., in',
    };
    const llm = chat();
    const reservations = agent({
      name: 'reservations',
      description: 'Reservations and holdings',
      systemPrompt: 'Reservations: look the title up, then answer.',
      llm,
      tools: [
        tool(
          'catalogue',
          'Holdings of a title',
          { title: z.string() },
          ({ title }) => holdings[title] ?? 'no such title',
        ),
      ],
      ...(bounce && { canHandoffTo: ['desk'] }),
    });
    const adviser = agent({
      name: 'adviser',
      description: 'Advice on what to read',
      systemPrompt: 'Adviser: suggest one book that stands on our shelves.',
      llm,
      tools: [tool('shelf_search', 'Books on a theme', { theme: z.string() }, ({ theme }) => shelf[theme])],
    });
    const desk = agent({
      name: 'desk',
      description: 'Front desk',
      systemPrompt: 'Desk: open 9 to 19. Hand over whatever is not about the hours.',
      llm,
      tools: [tool('opening_hours', 'Hours', { day: z.string() }, () => '9 to 19')],
      canHandoffTo: [reservations, adviser],
    });
    const flow = multiAgent({ agents: [desk, reservations, adviser], rootAgent: desk, timeout: 20 });
    await within('workflow', 'library_desk', ask, async () => {
      const { data } = await flow.run(ask);
      return data.result;
    });
  },
};
