// Debate in plain code: tenants' and owners' advocates answer each other with streamed texts, then an arbiter writes an object.
import { generateText, Output, streamText } from 'ai';
import { z } from 'zod';

const CASES = {
  boiler: {
    tenant: [
      'For 23 days in January the flat had no heating above 16 degrees; I ask for forty per cent of that month.',
      'Electric heaters were offered on day 15, and the power they drew went onto the tenant’s bill: 61.20.',
      'Then let it be a third of the rent, plus the 61.20.',
    ],
    owner: [
      'A spare part was on order from day 2. No owner can make a pump appear, so ten per cent is fair.',
      'We had not heard of the bill. Sixty-one is accepted, and fifteen per cent for the month.',
      'A quarter and the electricity, if the matter ends today.',
    ],
    ruling: {
      share: 0.28,
      reason:
        'The offers of the last round lie at 25 and 33 per cent; the heating was out for most of the month, yet the owner acted at once.',
    },
  },
  piano: {
    tenant: [
      'One hour of piano between ten and noon is ordinary use of a home.',
      'It is an hour by the clock; I keep a diary, here are March and April.',
      'I will put felt under the feet and skip Sundays.',
    ],
    owner: [
      'The neighbour works nights and sleeps at ten. The house rules speak of quiet, not of hours.',
      'A diary kept by the player proves little, although I grant it is not all day.',
      'With felt, no Sundays and nothing before eleven, we can live.',
    ],
    ruling: {
      share: 0,
      reason:
        'Both sides meet at one hour from eleven on weekdays with felt under the instrument; no money changes hands.',
    },
  },
  balcón: {
    tenant: [
      'El andamio cerró el balcón cinco meses, de marzo a julio.',
      'No hubo aviso por escrito, solo un cartel en el portal.',
      'Acepto el doce por ciento por cada mes.',
    ],
    owner: [
      'La fachada era urgente: cayó un trozo de cornisa en febrero.',
      'El cartel estaba firmado y con fechas; cinco por ciento.',
      'Ocho por ciento, y se acabó.',
    ],
    ruling: {
      share: 0.1,
      reason: 'La obra era necesaria, pero cinco meses sin balcón merecen una rebaja entre lo pedido y lo ofrecido.',
    },
  },
};

export default {
  pattern: 'debate',
  healthy: [
    { name: 'boiler', rounds: 3 },
    { name: 'piano', rounds: 3 },
    { name: 'balcón', rounds: 3 },
    { name: 'boiler', rounds: 2 },
    { name: 'piano', rounds: 1 },
    { name: 'balcón', rounds: 2 },
    { name: 'piano', rounds: 2 },
  ],
  failing: [
    {
      name: 'boiler',
      rounds: 3,
      swap: true,
      fault: 'the owner’s advocate changes sides and argues for the tenant',
      agent: 'owner-advocate',
      step: 'answer',
      expect: ['persona_drift', 'role_usurpation', 'derailment', 'coordination'],
    },
    {
      name: 'piano',
      rounds: 5,
      echo: true,
      fault: 'both advocates repeat the same sentences in every round',
      agent: 'tenant-advocate',
      step: 'answer',
      expect: ['loop'],
    },
  ],
  model({ system, user }, { name, swap, echo }) {
    const { tenant, owner, ruling } = CASES[name];
    if (system.startsWith('Arbiter')) return JSON.stringify(ruling);
    const round = echo ? 0 : Number(/^Round (\d)/.exec(user)[1]) - 1;
    if (system.startsWith('Tenant')) return tenant[round];
    return swap && round > 0
      ? 'My client, the tenant, froze for weeks. I demand half of the rent back, and damages for the distress on top.'
      : owner[round];
  },
  async run({ chat, named, within }, { name, rounds }) {
    await within('arbitration', async () => {
      const record = [];
      const say = async (who, system, functionId, round) => {
        const { textStream } = streamText({
          model: chat(),
          system,
          prompt: `Round ${round}. Case “${name}”.\n${record.join('\n')}`,
          ...named(functionId),
        });
        let text = '';
        for await (const part of textStream) text += part;
        record.push(`${who}: ${text}`);
      };
      for (let round = 1; round <= rounds; round += 1) {
        await say('Tenant', 'Tenant’s advocate. Two sentences at most.', 'tenant-advocate', round);
        await say('Owner', 'Owner’s advocate. Two sentences at most.', 'owner-advocate', round);
      }
      await generateText({
        model: chat(),
        system: 'Arbiter: rule on the share of one month’s rent.',
        prompt: record.join('\n'),
        output: Output.object({ schema: z.object({ share: z.number(), reason: z.string() }) }),
        ...named('arbiter'),
      });
    });
  },
};
