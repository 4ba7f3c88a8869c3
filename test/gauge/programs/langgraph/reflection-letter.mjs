// Reflection: a writer and a critic work on a letter for a fixed number of rounds; each draft answers the critique.
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const EN = {
  task: 'Write to our subscribers that the cheese box costs more from July on (26 → 29). At most 70 words.',
  drafts: [
    'Dear friends of good cheese, from July our box will cost 29. Milk has become expensive. We thank you for your understanding.',
    'Dear friends of good cheese, our farms now get 11 cents more for each litre of milk. That is right, and it is why the box will cost 29 from July on (until now 26). The June box still goes out at the old price.',
    'Dear friends of good cheese, since spring the nine farms behind our box get 11 cents more a litre. From July the box therefore costs 29 and no longer 26. June stays as it is, and whoever wants to stop can do so with one click until the 25th.',
    'Dear friends of good cheese,\nsince spring the nine farms behind our box get 11 cents more for each litre. From July on the box costs 29 in place of 26. June stays at 26. You can pause or stop in your account until 25 June.\nYours, Ottilie and Bram',
  ],
  notes: [
    'Name the reason in figures, and tell people what happens to the June box.',
    'Say how to cancel and until when. The old price belongs nearer to the new one.',
    'Good. “whoever” is stiff; sign with your names and set it as a letter.',
    'Nothing left to change.',
  ],
};
const FR = {
  task: 'Rédige l’invitation à l’assemblée du jardin partagé (samedi 14 juin, 10 h, sous le tilleul).',
  drafts: [
    'Chers jardiniers, l’assemblée aura lieu samedi 14 juin. Venez nombreux.',
    'Chères jardinières, chers jardiniers, rendez-vous samedi 14 juin à 10 h sous le tilleul pour notre assemblée. Au menu : le puits, les clés et le compost.',
    'Chères voisines, chers voisins du jardin,\nsamedi 14 juin à 10 h, sous le tilleul : le puits, le prêt des clés, le nouveau compost. On apporte une chaise et, si possible, un plat. En cas de pluie, on se retrouve dans la serre.',
  ],
  notes: [
    'Il manque l’heure, le lieu et l’ordre du jour.',
    'Dis ce qu’il faut apporter et ce qu’on fait s’il pleut.',
    'C’est bon comme ça.',
  ],
};
const RU = {
  task: 'Напиши объявление для подъезда: в среду с 9 до 15 не будет горячей воды.',
  drafts: [
    'Уважаемые жильцы! В среду не будет горячей воды.',
    'Уважаемые соседи! В среду, 12 ноября, с 9:00 до 15:00 отключат горячую воду: меняют насос в подвале.',
    'Соседи, в среду 12 ноября с 9:00 до 15:00 не будет горячей воды, в подвале меняют насос. Холодная остаётся. Если к вечеру вода не появится, звоните диспетчеру: 4-17-30.',
  ],
  notes: ['Укажи часы и причину.', 'Добавь, что с холодной водой и куда звонить.', 'Замечаний нет.'],
};
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  drafts: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});

export default {
  pattern: 'reflection',
  healthy: [
    { ...EN, rounds: 4 },
    { ...FR, rounds: 3 },
    { ...RU, rounds: 3 },
    { ...EN, rounds: 2 },
    { ...FR, rounds: 2 },
    { ...RU, rounds: 2 },
    { ...EN, rounds: 3 },
  ],
  failing: [
    {
      ...EN,
      rounds: 4,
      deaf: true,
      fault: 'the writer returns the first draft in every round and ignores the critique',
      agent: 'writer',
      step: 'answer',
      expect: ['loop', 'context_neglect', 'quality_gate', 'coordination'],
    },
    {
      ...RU,
      rounds: 2,
      cut: true,
      fault: 'the last draft is cut off by the length limit and delivered',
      agent: 'writer',
      step: 'answer',
      expect: ['output_validation', 'completion', 'context_overflow'],
    },
  ],
  model({ system, messages }, { drafts, notes, deaf, cut }) {
    const written = messages.filter(({ text }) => drafts.includes(text)).length;
    if (system.startsWith('Kritik')) return notes[deaf ? 0 : written - 1];
    if (cut && written === 1) return { text: drafts[1].slice(0, 58), finish: 'length' };
    return drafts[deaf ? 0 : written];
  },
  async run({ chat }, { task, rounds }) {
    const turn =
      (name, brief) =>
      async ({ messages }) => {
        const { content } = await chat('gpt-4o', { temperature: 0.4 }).invoke([new SystemMessage(brief), ...messages]);
        const message = name === 'critic' ? new HumanMessage({ content, name }) : new AIMessage({ content, name });
        return { messages: [message], drafts: name === 'writer' ? 1 : 0 };
      };
    const graph = new StateGraph(State)
      .addNode('writer', turn('writer', 'You write short letters. Rework your draft when there is a critique.'))
      .addNode('critic', turn('critic', 'Kritik: say in one or two sentences what the draft lacks. Do not rewrite it.'))
      .addEdge(START, 'writer')
      .addConditionalEdges('writer', ({ drafts }) => (drafts >= rounds ? END : 'critic'), [END, 'critic'])
      .addEdge('critic', 'writer')
      .compile({ name: 'letter-desk' });
    await graph.invoke({ messages: [new HumanMessage(task)] }, { recursionLimit: 30 });
  },
};
