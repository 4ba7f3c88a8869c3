// Swarm: agents of a ferry line pass a passenger among themselves; each keeps the conversation until it passes it on.
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createHandoffTool, createSwarm } from '@langchain/langgraph-swarm';
import { z } from 'zod';

const asksFor = (user, words) => words.some((word) => user.toLowerCase().includes(word));
const CABIN = ['cabin', 'kabine', 'lugar', 'berth'];
const MEAL = ['breakfast', 'frühstück', 'menu', 'vegan', 'jantar'];

export default {
  pattern: 'swarm',
  healthy: [
    {
      turns: [
        'I am on the 18th with a camper of 6.2 metres. Does it fit?',
        'Lovely. A cabin with a window as well, please.',
        'And breakfast for two?',
      ],
      says: [
        'It does: deck 3 takes up to 7 metres, and I noted 6.2 for the 18th.',
        'Cabin 5117 has a window and is yours for 84.',
        'Breakfast for two is booked from 7:00 at the bow restaurant.',
      ],
    },
    {
      turns: ['Wie teuer ist eine Kabine für drei?', 'Gut, und jetzt noch das Auto, ein Kombi mit Dachbox.'],
      says: [
        'Eine Dreierkabine innen kostet 97 Euro, eine außen 121.',
        'Der Kombi mit Box ist 2,05 m hoch und steht damit auf Deck 4.',
      ],
    },
    {
      turns: [
        'Is there a vegan menu on the night sailing?',
        'Then please change my berth to one near the restaurant.',
        'One more: my car is now electric, does that matter?',
        'Thanks. Could you add the vegan menu for my sister too?',
      ],
      says: [
        'There is: lentil ragout, and a fruit plate.',
        'Berth 4020 is thirty steps from the restaurant; done.',
        'It only matters for loading: you park by the chargers on deck 3.',
        'Added. Your sister has the lentil ragout as well.',
      ],
    },
    {
      turns: ['Two bicycles and a trailer for the 11:15, please.'],
      says: ['Two bicycles and one trailer are on the 11:15; roll them to gate B at 10:30.'],
    },
    {
      turns: ['Queria um lugar na cabine partilhada.', 'E o jantar está incluído?'],
      says: [
        'Reservei a cama 12 na cabine partilhada feminina, por 31 euros.',
        'O jantar é à parte: 19 euros no bufete da popa.',
      ],
    },
    {
      turns: ['My van grew: it is 2.60 high with the ladder.', 'Which cabin is quietest?', 'Then the quiet one.'],
      says: [
        'For 2.60 we move you to deck 2, which takes up to 4 metres.',
        'Those in the middle of deck 6; the engines are two decks further down.',
        'Cabin 6033 it is, in the middle of deck 6.',
      ],
    },
    {
      turns: ['Hallo, das Frühstück bitte schon um sechs.'],
      says: ['Um sechs öffnet nur die Bar; ich habe zwei Lunchpakete für Sie bestellt.'],
    },
  ],
  failing: [
    {
      turns: ['Can my dog sleep in the cabin with me?'],
      says: [],
      bounce: true,
      fault: 'the agents pass the passenger to each other until the limit and never answer',
      agent: 'cabins',
      step: 'transfer_to_galley',
      expect: ['loop', 'coordination'],
    },
    {
      turns: ['A cabin for the 20th please, number 5117 if it is free.', 'No, not 5117 on the 18th: the 20th.'],
      says: ['Cabin 5117 is booked for the 18th.', 'Cabin 5117 is booked for the 18th.'],
      fault: 'ignores the correction of the date',
      agent: 'cabins',
      step: 'answer',
      expect: ['context_neglect', 'communication', 'specification', 'loop', 'coordination'],
    },
  ],
  model({ system, user, users, calls, last }, { turns, says, bounce }) {
    const me = system.split(':')[0];
    const wanted =
      asksFor(user, MEAL) && !asksFor(user, ['berth', 'near'])
        ? 'galley'
        : asksFor(user, CABIN) || /quiet/.test(user)
          ? 'cabins'
          : 'vehicles';
    if (bounce) return { call: [`transfer_to_${me === 'cabins' ? 'galley' : 'cabins'}`, {}] };
    if (me !== wanted) return { call: [`transfer_to_${wanted}`, {}] };
    const own = { vehicles: 'deck_space', cabins: 'cabin_list', galley: 'order_meal' }[me];
    const hasResult = last.role === 'tool' && calls.at(-1)?.name === own;
    return hasResult ? says[turns.indexOf(users.at(-1))] : { call: [own, { request: user.slice(0, 60) }] };
  },
  async run({ chat, tool }, { turns, says, bounce }) {
    const names = ['vehicles', 'cabins', 'galley'];
    const result = { vehicles: 'deck_space', cabins: 'cabin_list', galley: 'order_meal' };
    let turn = 0;
    const agents = names.map((name) =>
      createReactAgent({
        llm: chat(),
        name,
        prompt: `${name}: you serve passengers of the Skerry Line. Pass on what is not yours.`,
        tools: [
          tool(result[name], `What ${name} has to offer`, { request: z.string() }, () => ({
            ok: true,
            available: says[turn] ?? 'see list',
          })),
          ...names.filter((other) => other !== name).map((agentName) => createHandoffTool({ agentName })),
        ],
      }),
    );
    const swarm = createSwarm({ agents, defaultActiveAgent: 'vehicles' }).compile({
      checkpointer: new MemorySaver(),
      name: 'passenger-desk',
    });
    for (turn = 0; turn < turns.length; turn += 1)
      await swarm.invoke(
        { messages: [new HumanMessage(turns[turn])] },
        { configurable: { thread_id: `pax-${turns[0].length}` }, recursionLimit: bounce ? 24 : 40 },
      );
  },
};
