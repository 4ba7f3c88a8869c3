// Plan and execute by hand: one call makes the plan as JSON, workers do the steps in waves, a checker reads the whole.
const TASKS = {
  cake: {
    brief: 'Order a cake without nuts',
    tool: 'order_cake',
    done: 'Poppy seed cake, no nuts, ready Friday at four.',
  },
  hall: {
    brief: 'Book the scout hall',
    tool: 'book_hall',
    done: 'Hall is ours from two to seven; the key is under the third step.',
  },
  magician: { brief: 'Ask the magician', tool: 'ask_artist', done: 'Maestro Pim comes at three, with doves.' },
  cards: { brief: 'Send the invitations', tool: 'send_cards', done: 'Eleven cards are out.' },
  lamps: { brief: 'Borrow lanterns', tool: 'borrow', done: 'Twenty paper lanterns from the school.' },
};

export default {
  pattern: 'plan and execute',
  healthy: [
    { waves: [['hall'], ['cake', 'cards']] },
    { waves: [['hall', 'magician'], ['cards'], ['lamps']] },
    { waves: [['cake']] },
    { waves: [['hall', 'cake', 'magician', 'lamps'], ['cards']] },
    { waves: [['cards'], ['lamps'], ['cake'], ['hall']] },
    { waves: [['magician'], ['hall', 'lamps']] },
  ],
  failing: [
    {
      waves: [['hall'], ['cake', 'cards']],
      nuts: true,
      fault: 'the cake is ordered with nuts, which the checker admits and accepts',
      agent: 'checker',
      step: 'answer',
      expect: ['specification', 'quality_gate', 'completion', 'output_validation', 'grounding'],
    },
    {
      waves: [['cards'], ['magician', 'hall']],
      garbled: true,
      fault: 'the plan is no JSON and the program ends with an error',
      agent: 'planner',
      step: 'plan',
      expect: ['output_validation', 'decomposition', 'tool_failure'],
    },
  ],
  model({ system, user, calls }, { waves, nuts, garbled }) {
    if (system.startsWith('Plan'))
      return garbled ? `{"waves": [["cards"], ["magician", "hall"]` : JSON.stringify({ waves });
    if (system.startsWith('Check'))
      return nuts
        ? 'All steps are done. The cake contains hazelnuts although the guests must not have nuts; I leave it like that.'
        : `${user.split('\n').length - 1} of ${waves.flat().length} steps are done. Nothing is missing for Saturday.`;
    const task = Object.values(TASKS).find(({ brief }) => user.startsWith(brief));
    if (calls.length === 0) return { call: [task.tool, { note: task.brief }] };
    return nuts && task.tool === 'order_cake' ? 'Hazelnut cake, ready Friday at four.' : task.done;
  },
  run({ agent, spanned }, { waves, nuts }) {
    const planner = agent(
      'planner',
      'Plan a birthday as JSON: { waves: [[task]] }. Tasks of one wave may be done at the same time.',
    );
    const checker = agent('checker', 'Check the results against the wishes.');
    const ask = `Finn turns ten on Saturday; two guests must not eat nuts. We need ${waves.flat().join(', ')}.`;
    return spanned('CHAIN', 'birthday', ask, async () => {
      const { waves: plan } = JSON.parse(await planner(ask));
      const results = [];
      for (const wave of plan)
        results.push(
          ...(await Promise.all(
            wave.map((name) => {
              const { brief, tool, done } = TASKS[name];
              const work = () => (nuts && name === 'cake' ? 'hazelnut cake reserved, Fri 16:00' : `confirmed: ${done}`);
              return agent(
                `${name}-worker`,
                `Worker: do one step (${name}) with your tool.`,
                { [tool]: [brief, work] },
                { model: 'gpt-4o-mini' },
              )(`${brief}.`);
            }),
          )),
        );
      return checker(`${ask}\n${results.join('\n')}`);
    });
  },
};
