// Approval by a person: treatments of a hive wait for the beekeeper, who may refuse; the run is interrupted and resumed.
import { Agent } from '@openai/agents';
import { z } from 'zod';

export default {
  pattern: 'approval by a person',
  healthy: [
    {
      hive: 'Linde 3',
      mites: 14,
      dose: 30,
      yes: true,
      say: 'Linde 3 got 30 ml of oxalic acid; look again in three weeks.',
    },
    {
      hive: 'Heide 1',
      mites: 2,
      dose: 0,
      say: 'Heide 1 had 2 mites in three days. That is low, so nothing was given.',
    },
    {
      hive: 'Quarry east',
      mites: 22,
      dose: 45,
      yes: false,
      say: 'You turned the treatment down, so Quarry east was left alone. 22 mites is a lot; please decide this week.',
    },
    {
      hive: 'Casa vecchia',
      mites: 9,
      dose: 25,
      yes: true,
      say: 'Fatto: 25 ml a Casa vecchia, prossimo controllo tra tre settimane.',
    },
    {
      hive: 'Schuppen',
      mites: 31,
      dose: 50,
      yes: true,
      say: 'Schuppen ist behandelt, 50 ml. Bei 31 Milben prüfe ich in zehn Tagen noch einmal.',
    },
    {
      hive: 'Orchard 8',
      mites: 6,
      dose: 20,
      yes: false,
      say: 'As you wish: no acid for Orchard 8, and a new count on Sunday.',
    },
  ],
  failing: [
    {
      hive: 'Weir 2',
      mites: 17,
      dose: 40,
      yes: false,
      say: 'Weir 2 has had its 40 ml of oxalic acid.',
      fault: 'claims a treatment that the person rejected',
      agent: 'hive-keeper',
      step: 'answer',
      expect: [
        'grounding',
        'hallucination',
        'reasoning_action_mismatch',
        'communication',
        'coordination',
        'context_neglect',
      ],
    },
  ],
  model({ calls }, { hive, dose, say }) {
    if (calls.length === 0) return { call: ['count_mites', { hive }] };
    if (dose > 0 && calls.length === 1) return { call: ['treat_hive', { hive, ml: dose }] };
    return say;
  },
  async run({ run, tool, withTrace }, { hive, mites, yes }) {
    const keeper = new Agent({
      name: 'hive-keeper',
      instructions: 'You look after bee hives. Above five mites in three days suggest a treatment.',
      model: 'gpt-4o',
      tools: [
        tool('count_mites', 'Mites on the board of a hive', { hive: z.string() }, () => ({ mites, days: 3 })),
        tool('treat_hive', 'Doses oxalic acid', { hive: z.string(), ml: z.number() }, ({ ml }) => `dosed ${ml} ml`, {
          needsApproval: true,
        }),
      ],
    });
    await withTrace('Hive round', async () => {
      let result = await run(keeper, `Please look at ${hive}.`);
      while (result.interruptions.length > 0) {
        for (const wish of result.interruptions) yes ? result.state.approve(wish) : result.state.reject(wish);
        result = await run(keeper, result.state);
      }
    });
  },
};
