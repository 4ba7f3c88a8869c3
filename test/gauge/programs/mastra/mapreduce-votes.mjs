// Map and reduce in a workflow: foreach over the letters of readers, then one agent for the editor's column.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

const LETTERS = [
  ['I have read you since 1974 and never before found a crossword without an error. Well done.', 'praise: crossword'],
  ['The new type is too small. My magnifier has a magnifier now.', 'complaint: small type'],
  ['Ihr Bericht über die Bahnbrücke verschweigt, dass sie 1911 schon einmal einstürzte.', 'correction: Brücke 1911'],
  ['Could you print tide tables again?', 'wish: tide tables'],
  ['Votre page jardin m’a fait rire : on ne taille pas un figuier en mai !', 'correction: figuier'],
  ['Cancel my subscription. No, do not, I only mean the Saturday supplement.', 'change: no supplement'],
  ['Who writes the recipes? The dumplings saved my marriage.', 'praise: dumplings'],
];
const Letter = z.object({ text: z.string() });
const Label = z.object({ label: z.string() });

export default {
  pattern: 'map and reduce',
  healthy: [
    { of: [0, 1, 2] },
    { of: [3, 4, 5, 6] },
    { of: [0, 1, 2, 3, 4, 5, 6] },
    { of: [6, 1] },
    { of: [2, 4, 5, 0] },
    { of: [1, 3, 6, 2, 5] },
  ],
  failing: [
    {
      of: [0, 1, 3, 6],
      same: 'praise: crossword',
      fault: 'all letters get the label of the first one',
      agent: 'sorter',
      step: 'answer',
      expect: ['loop', 'grounding', 'hallucination', 'quality_gate', 'coordination'],
    },
    {
      of: [1, 2, 4],
      refuses: true,
      fault: 'the editor refuses the task with a note on its limits',
      agent: 'columnist',
      step: 'answer',
      expect: ['withholding', 'completion', 'derailment', 'specification', 'output_validation'],
    },
  ],
  model({ system, user }, { of, same, refuses }) {
    if (system.startsWith('Sort')) return same ?? LETTERS.find(([text]) => text === user)[1];
    if (refuses) return 'I’m sorry, but I can’t help with that request.';
    const kinds = Map.groupBy(
      user.split('\n').filter((line) => line.includes(': ')),
      (line) => line.split(': ')[0],
    );
    return `From the post bag: ${of.length} letters. ${[...kinds].map(([kind, lines]) => `${lines.length} × ${kind} (${lines.map((line) => line.split(': ')[1]).join(', ')})`).join('; ')}. Thank you, and keep them coming.`;
  },
  async run({ agent, app }, { of }) {
    const agents = {
      sorter: agent('sorter', 'Sort a letter: one of praise, complaint, correction, wish, change, with its subject.'),
      columnist: agent('columnist', 'Write the column on the letters of the week.'),
    };
    const label = createStep({
      id: 'label',
      inputSchema: Letter,
      outputSchema: Label,
      execute: async ({ inputData, mastra }) => ({
        label: (await mastra.getAgent('sorter').generate(inputData.text)).text,
      }),
    });
    const column = createStep({
      id: 'column',
      inputSchema: z.array(Label),
      outputSchema: Letter,
      execute: async ({ inputData, mastra }) => ({
        text: (await mastra.getAgent('columnist').generate(inputData.map(({ label: one }) => one).join('\n'))).text,
      }),
    });
    const flow = createWorkflow({ id: 'letters', inputSchema: z.array(Letter), outputSchema: Letter })
      .foreach(label, { concurrency: 3 })
      .then(column)
      .commit();
    const run = await app({ agents, workflows: { flow } }).getWorkflow('flow').createRun();
    const ended = await run.start({ inputData: of.map((at) => ({ text: LETTERS[at][0] })) });
    if (ended.status !== 'success') throw ended.error ?? new Error(ended.status);
  },
};
