// Reflection in code: a poet and a judge, each an agent of its own, for as many rounds as the judge asks for.
import { Agent } from '@openai/agents';
import { z } from 'zod';

const VERSES = [
  'A baker from Crewe made a tart\nthat was bigger by far than his cart.\nHe pushed it uphill\nand it’s rolling there still;\nit has outrun the man from the start.',
  'A baker from Crewe baked a tart\nso large that it flattened his cart.\nIt rolled down the hill\nand it’s rolling there still:\nhe was fond of the thing from the start.',
  'There once was a baker in Crewe\nwhose tart was too big to sell whole, so he drew\na line down the middle,\nsolved half of the riddle,\nand ate up the rest as one chew.',
  'Old Gwen kept a goat on a boat\nwith a rope and a bell round its throat.\nIt rang at high tide\nand the harbour replied,\nwhich is more than you get from a stoat.',
];

export default {
  pattern: 'reflection',
  healthy: [
    { subject: 'a baker from Crewe', use: [0, 1], marks: [6, 9] },
    { subject: 'a goat on a boat', use: [3], marks: [8] },
    { subject: 'a baker and his tart', use: [2, 0, 1], marks: [4, 7, 8] },
    { subject: 'a baker in trouble', use: [0, 2, 1], marks: [5, 5, 9] },
    { subject: 'a goat with a bell', use: [2, 3], marks: [3, 8] },
    { subject: 'a tart that rolls', use: [1], marks: [9] },
    { subject: 'any trade in Crewe', use: [2, 1, 0], marks: [6, 7, 8] },
  ],
  failing: [
    {
      subject: 'a sailor',
      use: [3, 3, 3, 3, 3],
      marks: [3, 3, 3, 3, 3],
      fault: 'the poet returns the same verse in all rounds, and the low mark is accepted at the end',
      agent: 'poet',
      step: 'answer',
      expect: ['loop', 'quality_gate', 'coordination', 'context_neglect', 'specification', 'completion'],
    },
  ],
  model({ system, user }, { use, marks }) {
    const round = Number(/round (\d)/.exec(user)?.[1] ?? 1) - 1;
    if (system.startsWith('Poet')) return VERSES[use[round]];
    const mark = marks[round];
    const remark = [
      '',
      '',
      '',
      'Wrong subject altogether.',
      'The second line limps badly.',
      'The rhyme carries, the rhythm does not.',
      'Amusing, but the last line explains the joke.',
      'Nearly there; the third line wants a beat less.',
      'Light on its feet.',
      'Splendid, print it.',
    ][mark];
    return JSON.stringify({ mark, remark });
  },
  async run({ run, withTrace }, { subject, marks }) {
    const poet = new Agent({
      name: 'poet',
      instructions: 'Poet: write one limerick. Heed the remark of the judge.',
      model: 'gpt-4o',
    });
    const judge = new Agent({
      name: 'judge',
      instructions: 'Judge: give a mark of 1 to 10 and one remark.',
      model: 'gpt-4o-mini',
      outputType: z.object({ mark: z.number(), remark: z.string() }),
    });
    await withTrace('Limerick', async () => {
      let brief = `A limerick about ${subject}, round 1.`;
      for (let round = 1; round <= marks.length; round += 1) {
        const { finalOutput: verse } = await run(poet, brief);
        const { finalOutput: verdict } = await run(judge, `Verse of round ${round}:\n${verse}`);
        if (verdict.mark >= 8) return;
        brief = `A limerick about ${subject}, round ${round + 1}. The judge said of\n${verse}\n: ${verdict.remark}`;
      }
    });
  },
};
