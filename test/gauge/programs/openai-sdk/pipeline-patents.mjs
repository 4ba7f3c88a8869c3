// Pipeline by hand: reader, classifier and drafter work one after the other on an invention, with a gate between.
const IDEAS = [
  [
    'A shoelace whose ends are magnets, so that it closes with one hand.',
    'A43C',
    'A fastening for footwear comprising a lace with magnetic terminals which couple when brought near each other.',
  ],
  [
    'Ein Briefkasten, der die Post wiegt und bei neuem Gewicht eine Fahne hebt.',
    'A47G',
    'Briefkasten mit Wägeeinrichtung und einer Anzeigefahne, die bei Gewichtszunahme angehoben wird.',
  ],
  [
    'A beehive floor that opens below 4 degrees to drop dead bees and shuts by itself.',
    'A01K',
    'A hive floor comprising a flap actuated by a thermostatic spring, which opens below a threshold temperature.',
  ],
  [
    '雨が降ると自動で傾きを変えて洗濯物を守る物干し竿。',
    'D06F',
    '降雨検知部と、検知に応じて竿の傾斜を変える駆動部とを備えた物干し装置。',
  ],
  [
    'A chess clock that lights the square of the last move.',
    'A63F',
    'A game clock with board sensing and illumination of the square last occupied.',
  ],
  [
    'Um puxador de porta que mede a febre de quem entra.',
    'G01K',
    'Puxador de porta com sensor térmico de contato e indicação óptica da temperatura medida.',
  ],
];

export default {
  pattern: 'pipeline',
  healthy: IDEAS.map(([idea], at) => ({ at, idea })),
  failing: [
    {
      at: 2,
      idea: IDEAS[2][0],
      other: 4,
      fault: 'the drafter writes the claim of another invention',
      agent: 'drafter',
      step: 'answer',
      expect: [
        'derailment',
        'context_neglect',
        'grounding',
        'hallucination',
        'communication',
        'coordination',
        'specification',
      ],
    },
    {
      at: 4,
      idea: IDEAS[4][0],
      gap: true,
      fault: 'the class lookup fails and the classifier makes a class up',
      agent: 'classifier',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination'],
    },
  ],
  model({ system, user, calls }, { at, other, gap }) {
    if (system.startsWith('Reader')) return `Novel part: ${user.replace(/\.$/, '').slice(0, 90)}`;
    if (system.startsWith('Classifier'))
      return calls.length === 0
        ? { call: ['class_index', { words: user.slice(12, 52) }] }
        : gap
          ? 'G07X 99/99'
          : IDEAS[at][1];
    return IDEAS[other ?? at][2];
  },
  run({ agent, spanned }, { idea, at, gap }) {
    const reader = agent('reader', 'Reader: state the novel part in one line.');
    const classifier = agent('classifier', 'Classifier: give the class of the patent index.', {
      class_index: [
        'Searches the index',
        () => {
          if (gap) throw new Error('index offline for maintenance (HTTP 503)');
          return { class: IDEAS[at][1], score: 0.7 + at / 40 };
        },
      ],
    });
    const drafter = agent('drafter', 'Drafter: write one independent claim, in the language of the idea.');
    return spanned('CHAIN', 'patent-desk', idea, async () => {
      const novel = await reader(idea);
      const group = await classifier(novel);
      return drafter(`${novel}\nClass: ${group}`);
    });
  },
};
