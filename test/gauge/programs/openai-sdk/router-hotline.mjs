// Router: a classifier chooses one of four specialists for each call to the hotline of a waterworks; two may run in turn.
const CALLS = [
  {
    ask: 'The water in Birkenweg is brown since this morning.',
    route: 'quality',
    say: 'Mains are being flushed in your street until 14:00. Brown water does no harm, but let the washing wait.',
  },
  {
    ask: 'Ich ziehe am 1. um, wie melde ich mich ab?',
    route: 'contracts',
    say: 'Schicken Sie uns Zählerstand und neue Anschrift, dann endet der Vertrag zum 1. des Monats.',
  },
  {
    ask: '¿Por qué pago 80 euros más que el año pasado?',
    route: 'billing',
    say: 'Su consumo subió de 96 a 121 metros cúbicos, y la tarifa en un 4 %.',
  },
  {
    ask: 'There is a fountain in the middle of Kanalstrasse!',
    route: 'emergency',
    say: 'Crew 3 is on its way and shuts the valve at the corner of Mühlplatz. Please keep the road clear.',
  },
  {
    ask: 'Το νερό μυρίζει χλώριο. Πίνεται;',
    route: 'quality',
    say: 'Ναι, πίνεται: 0,2 mg/l, κάτω από το όριο του 0,3.',
  },
  {
    ask: 'I was billed for a garden meter that I do not have.',
    route: 'billing',
    onward: 'contracts',
    say: 'The garden meter is off your bill; contracts has also removed it from your file.',
  },
  { ask: 'Do you sell rain barrels?', route: 'none', say: 'We do not, but the building yard opposite does.' },
];

export default {
  pattern: 'router',
  healthy: CALLS,
  failing: [
    {
      ask: 'A pipe has burst in my cellar, it is up to my knees!',
      route: 'contracts',
      say: 'Gladly! Our rain tariff saves you up to 40 euros a year. Shall I send you the form?',
      fault: 'an emergency is routed to sales, which answers with an offer',
      agent: 'contracts',
      step: 'answer',
      expect: [
        'coordination',
        'derailment',
        'communication',
        'specification',
        'resource_misallocation',
        'withholding',
        'persona_drift',
      ],
    },
    {
      ask: 'Send me the bill of May again.',
      route: 'billing',
      empty: true,
      say: '',
      fault: 'the specialist returns an empty answer',
      agent: 'billing',
      step: 'answer',
      expect: ['output_validation', 'completion', 'withholding'],
    },
  ],
  model({ system, user, calls }, { route, onward, say, empty }) {
    if (system.startsWith('Route')) return route;
    if (empty) return '';
    if (system.startsWith('Specialist: billing') && calls.length === 0)
      return { call: ['account', { about: user.slice(0, 30) }] };
    if (system.startsWith('Specialist: quality') && calls.length === 0)
      return { call: ['lab_values', { street: 'Birkenweg' }] };
    if (onward && !system.includes(onward)) return `PASS ${onward}: the meter must leave the file too.`;
    return say;
  },
  run({ agent, spanned }, { ask, route, say }) {
    const router = agent(
      'router',
      'Route: answer with quality, contracts, billing, emergency or none.',
      {},
      { model: 'gpt-4o-mini' },
    );
    const tools = {
      billing: { account: ['Bills and consumption', () => ({ note: say, year: [96, 121], tariff: '+4 %' })] },
      quality: {
        lab_values: [
          'Values and works in a street',
          () => ({ chlorine: 0.2, limit: 0.3, works: 'flushing until 14:00' }),
        ],
      },
    };
    const specialist = (name) =>
      agent(name, `Specialist: ${name}. Answer in the language of the caller, or PASS.`, tools[name] ?? {});
    return spanned('CHAIN', 'hotline', ask, async () => {
      const chosen = await router(ask);
      const answer = await specialist(chosen === 'none' ? 'switchboard' : chosen)(ask);
      const passed = /^PASS (\w+)/.exec(answer);
      return passed ? specialist(passed[1])(`${ask}\n${answer}`) : answer || route;
    });
  },
};
