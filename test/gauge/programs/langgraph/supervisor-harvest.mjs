// Supervisor: the manager of a cooperative asks an agronomist, a meteorologist and a trader as often as needed.
import { HumanMessage } from '@langchain/core/messages';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { z } from 'zod';

export default {
  pattern: 'supervisor',
  healthy: [
    { field: 'Nordhang', crop: 'spelt', moist: 13.8, rain: 'dry until Thursday', price: 284 },
    {
      field: 'Mühlgrund',
      crop: 'winter barley',
      moist: 16.9,
      rain: 'thunderstorms from Tuesday noon',
      price: 191,
      second: true,
    },
    { field: 'Alter Anger', crop: 'rapeseed', moist: 8.4, rain: 'no rain in the next six days', price: 467 },
    { field: 'plot 12', crop: 'oats', moist: 15.2, rain: 'light showers on Wednesday', price: 203, second: true },
    { field: 'Kirchfeld', crop: 'durum', moist: 12.9, rain: 'heat, 34 degrees, dry', price: 318 },
    { field: 'Seebreite', crop: 'rye', moist: 14.1, rain: 'fog in the mornings, dry after ten', price: 176 },
    {
      field: 'Rosenwinkel',
      crop: 'triticale',
      moist: 17.7,
      rain: 'steady rain from tomorrow',
      price: 182,
      second: true,
    },
  ],
  failing: [
    {
      field: 'Steinacker',
      crop: 'spelt',
      moist: 14.4,
      rain: 'dry',
      price: 279,
      endless: true,
      fault: 'the supervisor sends the agronomist out again and again until the recursion limit',
      agent: 'manager',
      step: 'transfer_to_agronomist',
      expect: ['loop', 'coordination'],
    },
    {
      field: 'Lange Wand',
      crop: 'barley',
      moist: 19.5,
      rain: 'dry until Friday',
      price: 190,
      wrong: true,
      fault: 'the final answer states another moisture than was measured',
      agent: 'manager',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'communication'],
    },
  ],
  model({ system, calls, fresh, last }, { field, crop, moist, rain, price, second, endless, wrong }) {
    const handed = (name) => calls.filter((call) => call.name === `transfer_to_${name}`).length;
    if (system.startsWith('You run')) {
      if (endless) return { call: ['transfer_to_agronomist', {}] };
      if (handed('agronomist') === 0)
        return { text: `First I want to know how ripe the ${crop} is.`, call: ['transfer_to_agronomist', {}] };
      if (handed('meteorologist') === 0) return { call: ['transfer_to_meteorologist', {}] };
      if (second && handed('agronomist') === 1)
        return { text: 'With that forecast, is drying afterwards possible?', call: ['transfer_to_agronomist', {}] };
      if (handed('trader') === 0) return { call: ['transfer_to_trader', {}] };
      if (wrong)
        return `Go ahead today: ${field} is down to 12.5 % moisture, and the elevator pays ${price} euros a tonne.`;
      const plan =
        moist < 14.5
          ? 'Cut tomorrow'
          : second
            ? 'Cut before the weather turns and send it through the dryer'
            : 'Wait two days';
      return `${plan}. ${field} stands at ${moist} %, the forecast says “${rain}”, and ${crop} brings ${price} euros a tonne at the moment.`;
    }
    if (system.startsWith('Agronomist')) {
      const measured = calls.filter(({ name }) => name === 'probe_moisture').length;
      if (second && handed('agronomist') === 2) {
        if (!calls.some(({ name }) => name === 'dryer_capacity'))
          return { call: ['dryer_capacity', { day: 'Monday' }] };
        return 'The dryer has 60 tonnes free on Monday. That covers the whole field, at roughly 11 euros a tonne.';
      }
      if (endless ? last?.role !== 'tool' || !last.text.includes('%') : measured === 0)
        return { call: ['probe_moisture', { field }] };
      return endless
        ? `Still ${moist} % on ${field}.`
        : `I took twelve samples. The mean is ${moist} % and the ears break cleanly.`;
    }
    if (system.startsWith('Meteorologist')) {
      if (!calls.some(({ name }) => name === 'regional_forecast')) return { call: ['regional_forecast', { days: 6 }] };
      return `The model run of this morning: ${rain}.`;
    }
    if (!calls.some(({ name }) => name === 'elevator_price')) return { call: ['elevator_price', { crop }] };
    return fresh >= 0 ? `Spot price for ${crop}: ${price} euros.` : '';
  },
  async run({ chat, tool }, { field, crop, moist, rain, price }) {
    const member = (name, prompt, tools) => createReactAgent({ llm: chat(), name, prompt, tools });
    const workers = [
      member('agronomist', 'Agronomist: you judge ripeness and drying.', [
        tool(
          'probe_moisture',
          'Moisture of a field in per cent',
          { field: z.string() },
          (input) => `${input.field}: ${moist} % (12 samples)`,
        ),
        tool('dryer_capacity', 'Free tonnes in the dryer', { day: z.string() }, ({ day }) => ({
          day,
          free_tonnes: 60,
          euros_per_tonne: 11,
        })),
      ]),
      member('meteorologist', 'Meteorologist: you read the forecast.', [
        tool('regional_forecast', 'Forecast of the region', { days: z.number() }, () => rain),
      ]),
      member('trader', 'Trader: you know prices.', [
        tool('elevator_price', 'Price at the grain elevator', { crop: z.string() }, () => ({
          crop,
          euros_per_tonne: price,
        })),
      ]),
    ];
    const graph = createSupervisor({
      agents: workers,
      llm: chat(),
      supervisorName: 'manager',
      prompt: 'You run the harvest of a cooperative. Ask your people, then decide.',
    });
    const team = graph.compile({ name: 'harvest' });
    const task = `Decide when we combine the ${crop} on ${field}, and say why.`;
    await team.invoke(
      { messages: [new HumanMessage(task)] },
      { recursionLimit: 25, configurable: { thread_id: `harvest-${field}` } },
    );
  },
};
