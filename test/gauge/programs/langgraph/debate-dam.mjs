// Debate: two speakers and a moderator argue about a dam; the moderator closes after a fixed number of rounds.
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const FOR = [
  'The lower valley has been under water four times in eleven years. A dam of this height holds back a flood like that of 2013 for nineteen hours, and nineteen hours empty a hospital.',
  'Sediment can be flushed through bottom outlets each spring, as is done on the Ill. It costs 0.4 million a year, a tenth of what one flood costs the insurers.',
  'You speak of meadows upstream. I counted: 61 hectares are drowned, 480 downstream stay dry. No option on the table has a better ratio.',
  'If the council wants a compromise, build it two metres lower. It still protects the school and spares the alder wood.',
  'My last point is about time. Retention basins need nine landowners to agree, and three have said no in writing.',
];
const AGAINST = [
  'The same nineteen hours come from giving the river back its three old arms. They cost half as much and breed fish into the bargain.',
  'Flushing in spring is precisely when grayling spawn. The Ill has lost seven tenths of its stock since; I have the survey of 2022 here.',
  'A ratio says nothing about what grows there. The 61 hectares hold the only fen within a day’s walk, and fens do not move.',
  'Two metres lower means eleven hours, by your own curve. Then we pay the full price for half of the time.',
  'Three said no to the first offer. The second has not been made; let us hear them before pouring concrete.',
];

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  round: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});

export default {
  pattern: 'debate',
  healthy: [
    { rounds: 2 },
    { rounds: 3 },
    { rounds: 4 },
    { rounds: 5 },
    { rounds: 1 },
    { rounds: 3, lean: 'against' },
    { rounds: 5, lean: 'against' },
  ],
  failing: [
    {
      rounds: 6,
      stuck: true,
      fault: 'both sides repeat their first statement in every round',
      agent: 'proponent',
      step: 'answer',
      expect: ['loop'],
    },
    {
      rounds: 3,
      mute: true,
      fault: 'the moderator decides for a third proposal that no side made',
      agent: 'moderator',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'derailment', 'context_neglect', 'communication', 'coordination'],
    },
  ],
  model({ system, messages }, { rounds, lean, stuck, mute }) {
    const spoken = (texts) => messages.filter(({ text }) => texts.includes(text)).length;
    if (system.startsWith('You defend')) return FOR[stuck ? 0 : spoken(FOR)];
    if (system.startsWith('You oppose')) return AGAINST[stuck ? 0 : spoken(AGAINST)];
    if (mute) return 'Decision: the tunnel through the Hochfirst is built, as both speakers have recommended.';
    if (lean)
      return `After ${rounds} rounds I find the old arms of the river the better first step; the offer to the landowners should be renewed before summer.`;
    return `I close after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}. The protection of the lower valley outweighs the loss upstream, provided that the flushing is moved out of the spawning season.`;
  },
  async run({ chat }, { rounds }) {
    const speak =
      (name, brief) =>
      async ({ messages }) => {
        const { content } = await chat().invoke([new SystemMessage(brief), ...messages]);
        return { messages: [new AIMessage({ content, name })], round: name === 'opponent' ? 1 : 0 };
      };
    const graph = new StateGraph(State)
      .addNode('proponent', speak('proponent', 'You defend the dam above Waldau. Bring one new argument each time.'))
      .addNode('opponent', speak('opponent', 'You oppose the dam above Waldau. Answer the argument before you.'))
      .addNode('moderator', speak('moderator', 'Moderator: weigh what was said and decide in two sentences.'))
      .addEdge(START, 'proponent')
      .addEdge('proponent', 'opponent')
      .addConditionalEdges('opponent', ({ round }) => (round >= rounds ? 'moderator' : 'proponent'), [
        'moderator',
        'proponent',
      ])
      .addEdge('moderator', END)
      .compile({ name: 'hearing' });
    await graph.invoke(
      { messages: [new HumanMessage('Should the dam above Waldau be built?')] },
      { recursionLimit: 40 },
    );
  },
};
