// Structured answers: recipes out of free text become objects of a fixed schema, over the Responses API.
import { Agent } from '@openai/agents';
import { z } from 'zod';

const Recipe = z.object({
  title: z.string(),
  serves: z.number().int(),
  minutes: z.number().int(),
  ingredients: z.array(z.object({ name: z.string(), amount: z.string() })),
  allergens: z.array(z.string()),
});

const DISHES = [
  {
    text: 'Nettle soup for four, half an hour: 300 g young nettles, two potatoes, an onion, a litre of broth, a splash of cream.',
    out: {
      title: 'Nettle soup',
      serves: 4,
      minutes: 30,
      ingredients: [
        { name: 'young nettles', amount: '300 g' },
        { name: 'potatoes', amount: '2' },
        { name: 'onion', amount: '1' },
        { name: 'broth', amount: '1 l' },
        { name: 'cream', amount: 'a splash' },
      ],
      allergens: ['milk'],
    },
  },
  {
    text: 'Mercimek köftesi: 1 bardak kırmızı mercimek, yarım bardak ince bulgur, salça, maydanoz. 6 kişilik, 45 dakika.',
    out: {
      title: 'Mercimek köftesi',
      serves: 6,
      minutes: 45,
      ingredients: [
        { name: 'kırmızı mercimek', amount: '1 bardak' },
        { name: 'ince bulgur', amount: 'yarım bardak' },
        { name: 'salça', amount: '' },
        { name: 'maydanoz', amount: '' },
      ],
      allergens: ['gluten'],
    },
  },
  {
    text: 'だし巻き卵、二人分、15分。卵3個、だし大さじ4、薄口しょうゆ小さじ1。',
    out: {
      title: 'だし巻き卵',
      serves: 2,
      minutes: 15,
      ingredients: [
        { name: '卵', amount: '3個' },
        { name: 'だし', amount: '大さじ4' },
        { name: '薄口しょうゆ', amount: '小さじ1' },
      ],
      allergens: ['卵', '大豆', '小麦'],
    },
  },
  {
    text: 'Käsespätzle, 3 Personen, 40 min. 300 g Mehl, 3 Eier, 200 g Bergkäse, zwei Zwiebeln.',
    out: {
      title: 'Käsespätzle',
      serves: 3,
      minutes: 40,
      ingredients: [
        { name: 'Mehl', amount: '300 g' },
        { name: 'Eier', amount: '3' },
        { name: 'Bergkäse', amount: '200 g' },
        { name: 'Zwiebeln', amount: '2' },
      ],
      allergens: ['Gluten', 'Ei', 'Milch'],
    },
  },
  {
    text: 'Grandad’s trail mix: equal parts hazelnuts, raisins, pumpkin seeds. Keeps ten walkers happy. No cooking.',
    out: {
      title: 'Trail mix',
      serves: 10,
      minutes: 0,
      ingredients: [
        { name: 'hazelnuts', amount: '1 part' },
        { name: 'raisins', amount: '1 part' },
        { name: 'pumpkin seeds', amount: '1 part' },
      ],
      allergens: ['nuts'],
    },
  },
  {
    text: 'Shakshuka para dos en veinte minutos, con cuatro huevos, un bote de tomate y pimentón.',
    out: {
      title: 'Shakshuka',
      serves: 2,
      minutes: 20,
      ingredients: [
        { name: 'huevos', amount: '4' },
        { name: 'tomate', amount: '1 bote' },
        { name: 'pimentón', amount: '' },
      ],
      allergens: ['huevo'],
    },
  },
];

export default {
  pattern: 'structured answers',
  healthy: DISHES.map((dish) => dish),
  failing: [
    {
      ...DISHES[0],
      raw: '{"title": "Nettle soup", "serves": "four", "minutes": 30, "ingredients": [{"name": "young nettles", "amount": "300 g"}], "allergens": [',
      finish: 'length',
      fault: 'the object is cut off and no JSON',
      agent: 'recipe-reader',
      step: 'answer',
      expect: ['output_validation', 'completion', 'context_overflow'],
    },
    {
      ...DISHES[3],
      prose:
        'Sure! Here is how to make Käsespätzle: mix flour and eggs, scrape the dough into boiling water and layer with cheese.',
      fault: 'answers in prose where the schema demands an object',
      agent: 'recipe-reader',
      step: 'answer',
      expect: ['output_validation', 'specification'],
    },
  ],
  model: (_turn, { out, raw, prose, finish }) => (raw ? { text: raw, finish } : (prose ?? JSON.stringify(out))),
  async run({ run, api, withTrace }, { text }) {
    api('responses');
    const agent = new Agent({
      name: 'recipe-reader',
      instructions: 'Read the recipe into the schema. Keep the language of the recipe.',
      model: 'gpt-4o',
      outputType: Recipe,
    });
    try {
      await withTrace('Recipe import', () => run(agent, text));
    } finally {
      api('chat_completions');
    }
  },
};
