// Sub-agents as tools: the leader of an expedition asks three specialists, some more than once, and writes the plan.
import { Agent } from '@openai/agents';
import { z } from 'zod';

const ASKED = {
  food: ['Rations for', 'person-days'],
  route: ['Is the col', 'passable'],
  medicine: ['Which kit', 'altitude'],
};

export default {
  pattern: 'sub-agents',
  healthy: [
    {
      people: 4,
      days: 9,
      col: 'Sonniq Col',
      snow: 'hard until ten in the morning',
      ask: ['food', 'route', 'medicine'],
    },
    { people: 7, days: 21, col: 'Old Woman Pass', snow: 'free of snow', ask: ['route', 'food'] },
    {
      people: 2,
      days: 5,
      col: 'Brèche des Isards',
      snow: 'one rope length of ice at the top',
      ask: ['route', 'medicine', 'route', 'food'],
    },
    {
      people: 12,
      days: 30,
      col: 'Camel Neck',
      snow: 'wet, avalanches after noon',
      ask: ['food', 'route', 'medicine', 'food'],
    },
    { people: 3, days: 14, col: 'Mirador Norte', snow: 'firn, crampons needed', ask: ['medicine', 'food', 'route'] },
    { people: 5, days: 7, col: 'Tarn Gap', snow: 'bare scree', ask: ['food'] },
    { people: 6, days: 11, col: 'Kulma', snow: 'drifts of two metres', ask: ['route', 'route', 'food'] },
  ],
  failing: [
    {
      people: 4,
      days: 12,
      col: 'Grey Saddle',
      snow: 'closed: cornice broke on Sunday, two ropes missing',
      ask: ['route', 'food'],
      reckless: true,
      fault: 'the plan uses the pass that the specialist reported as closed',
      agent: 'leader',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'context_neglect', 'communication', 'coordination'],
    },
    {
      people: 8,
      days: 16,
      col: 'Long Stair',
      snow: 'dry',
      ask: ['food', 'medicine'],
      over: true,
      fault: 'the plan admits that it exceeds the limit of 20 kg for each person and is delivered',
      agent: 'leader',
      step: 'answer',
      expect: ['specification', 'completion', 'quality_gate', 'output_validation'],
    },
  ],
  model({ system, calls, user }, { people, days, col, snow, ask, reckless, over }) {
    const grams = people * days * 820;
    if (system.startsWith('Provisions')) {
      if (calls.length === 0) return { call: ['ration_table', { kind: people > 6 ? 'group' : 'light' }] };
      return user.includes('cut')
        ? `With soup in place of tins it is ${Math.round(grams * 0.86) / 1000} kg.`
        : `${people * days} person-days at 820 g make ${grams / 1000} kg.`;
    }
    if (system.startsWith('Guide')) {
      const tool = calls.length === 0 ? ['hut_report', { place: col }] : null;
      return tool
        ? { call: tool }
        : user.includes('descent')
          ? `Down by the east gully from ${col}; leave before noon.`
          : `The hut warden says about ${col}: ${snow}.`;
    }
    if (system.startsWith('Doctor'))
      return `For ${days} days take the large kit, dexamethasone included, and one pulse oximeter for each rope.`;
    const specialist = ask[calls.length];
    if (specialist) {
      const again = ask.slice(0, calls.length).includes(specialist);
      const [a, b] = ASKED[specialist];
      const input = again
        ? specialist === 'food'
          ? 'How far can we cut the weight?'
          : `And the descent from ${col}?`
        : `${a} ${specialist === 'route' ? col : people} ${specialist === 'route' ? b : `people, ${days} days, ${b}`}?`;
      return { call: [`ask_${specialist}`, { input }] };
    }
    if (reckless)
      return `Plan: we cross ${col} on day 3, which is open and in good condition, with ${grams / 1000} kg of food.`;
    if (over)
      return `Plan for ${people} people. Each carries 24.5 kg, which is above the 20 kg you set; I have not found a way below it. Please start as planned.`;
    return `Plan for ${people} people and ${days} days.\n${calls.map(({ result }) => `- ${result}`).join('\n')}\nIf the weather holds we start on Friday.`;
  },
  async run({ run, tool, withTrace }, { people, days, col, snow, over }) {
    const agent = (name, instructions, tools = []) => new Agent({ name, instructions, model: 'gpt-4o', tools });
    const food = agent('provisions', 'Provisions: work out rations.', [
      tool('ration_table', 'Ration tables', { kind: z.string() }, ({ kind }) => ({
        kind,
        grams_per_day: 820,
        kcal: 3600,
      })),
    ]);
    const route = agent('guide', 'Guide: you know passes and huts.', [
      tool('hut_report', 'Latest entry of the hut book', { place: z.string() }, ({ place }) => `${place}: ${snow}`),
    ]);
    const doctor = agent('doctor', 'Doctor: you pack the medicine.');
    const asTool = (specialist, name) =>
      specialist.asTool({ toolName: name, toolDescription: `Asks the ${specialist.name}` });
    const leader = agent('leader', 'You lead expeditions. Ask your specialists; then write a plan.', [
      asTool(food, 'ask_food'),
      asTool(route, 'ask_route'),
      asTool(doctor, 'ask_medicine'),
    ]);
    const limit = over ? ' Nobody carries more than 20 kg.' : '';
    await withTrace('Expedition', () =>
      run(leader, `We are ${people} for ${days} days over ${col}. Write the plan.${limit}`, { maxTurns: 15 }),
    );
  },
};
