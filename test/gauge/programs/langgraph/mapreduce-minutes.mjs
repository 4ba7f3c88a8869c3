// Map and reduce: the minutes of a council are summed up item by item in parallel, then put together.
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph';

const ITEMS = [
  [
    'Bus line 14 is extended to the hospital from May. Costs of 38,000 a year are shared with the county. Carried, 17 to 4.',
    'Line 14 goes to the hospital from May; 17 to 4 in favour.',
  ],
  [
    'The playground in Ahornweg is closed, as the climbing frame failed its inspection. A new one is expected in week 34.',
    'Ahornweg stays closed until a new frame arrives in week 34.',
  ],
  [
    'Councillor Petri asked why the library shuts on Mondays. The mayor answered that two posts are vacant.',
    'The library stays shut on Mondays for want of staff.',
  ],
  [
    'The sewer in Untere Gasse is relined without digging. Tender: three offers, the lowest 212,400 from Karst & Sons.',
    'Karst & Sons reline the sewer for 212,400, without digging.',
  ],
  [
    'Applications for the heritage fund: seven received, four granted, one deferred until drawings arrive.',
    'Heritage fund: four of seven granted, one deferred.',
  ],
  [
    'Moción sobre el mercado semanal: pasa del martes al jueves, a prueba, por seis meses. Aprobada por unanimidad.',
    'El mercado pasa a los jueves, seis meses a prueba.',
  ],
  [
    'A resident complains about the bells at 6 in the morning. The parish is willing to begin at 7. No vote.',
    'The bells may begin at 7 in future; no vote was taken.',
  ],
  [
    'The budget of the fire brigade rises by 4 %, chiefly for radios. The treasurer warns about the reserve. Carried with two abstentions.',
    'Fire brigade: plus 4 %, mainly radios.',
  ],
];

const State = Annotation.Root({
  items: Annotation(),
  item: Annotation(),
  parts: Annotation({ reducer: (before, more) => [...before, ...more], default: () => [] }),
  newsletter: Annotation(),
});

export default {
  pattern: 'map and reduce',
  healthy: [
    { of: [0, 1, 2] },
    { of: [3, 4, 5, 6] },
    { of: [0, 1, 2, 3, 4, 5, 6, 7] },
    { of: [7, 2] },
    { of: [5, 6, 0, 1, 3] },
    { of: [4, 7, 1, 6, 2, 0] },
    { of: [2] },
  ],
  failing: [
    {
      of: [0, 1, 3, 4, 6],
      drop: 3,
      fault: 'the digest leaves out two of the items and says that it has all',
      agent: 'digest',
      step: 'answer',
      expect: ['withholding', 'completion', 'specification', 'quality_gate', 'coordination', 'communication'],
    },
    {
      of: [3, 4, 7],
      broken: true,
      fault: 'the model answers one of the items with a server error and the run ends',
      agent: 'summarise',
      step: 'model call',
      expect: ['tool_failure'],
    },
  ],
  model({ system, user }, { of, drop, broken }) {
    if (system.startsWith('One agenda item')) {
      const [text, short] = ITEMS.find(([item]) => user.includes(item));
      return broken && text.includes('heritage')
        ? { status: 503, error: 'The engine is currently overloaded, please try again later' }
        : short;
    }
    const kept = of.slice(0, drop ?? of.length).map((at) => `– ${ITEMS[at][1]}`);
    return `Council in brief${drop ? ` (all ${of.length} items)` : ''}\n${kept.join('\n')}`;
  },
  async run({ chat }, { of }) {
    const model = chat('gpt-4o-mini');
    const ask = async (system, text) =>
      (await model.invoke([new SystemMessage(system), new HumanMessage(text)])).content;
    const graph = new StateGraph(State)
      .addNode('split', ({ items }) => ({ items }))
      .addNode('summarise', async ({ item }) => ({
        parts: [await ask('One agenda item in one sentence, in its own language.', item)],
      }))
      .addNode('digest', async ({ parts }) => ({
        newsletter: await ask(
          'Put the sentences together as a digest for the newsletter. Every item must appear.',
          parts.join('\n'),
        ),
      }))
      .addEdge(START, 'split')
      .addConditionalEdges('split', ({ items }) => items.map((item) => new Send('summarise', { item })), ['summarise'])
      .addEdge('summarise', 'digest')
      .addEdge('digest', END)
      .compile({ name: 'council-digest' });
    await graph.invoke({ items: of.map((at) => ITEMS[at][0]) });
  },
};
