// Router in a workflow: letters to an embassy are classified and go down one of three branches.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

const Text = z.object({ text: z.string() });
const Sorted = z.object({ text: z.string(), desk: z.string() });

export default {
  pattern: 'router',
  healthy: [
    {
      letter: 'My passport expires during our honeymoon in May.',
      desk: 'passports',
      reply: 'Come with two photographs before 20 April; an express passport takes nine days.',
    },
    {
      letter: 'Wir möchten in Ihrem Land heiraten. Welche Urkunden braucht es?',
      desk: 'registry',
      reply: 'Geburtsurkunden, ein Ehefähigkeitszeugnis und Übersetzungen, alles nicht älter als sechs Monate.',
    },
    {
      letter: 'Je cherche les lettres de mon arrière-grand-père, consul en 1921.',
      desk: 'culture',
      reply: 'Elles sont aux archives nationales ; nous transmettons votre demande à la salle de lecture.',
    },
    {
      letter: 'Мой паспорт украли в поезде.',
      desk: 'passports',
      reply: 'Приходите завтра к девяти со справкой из полиции, мы выдадим временный документ.',
    },
    {
      letter: 'Can my choir sing at your national day?',
      desk: 'culture',
      reply: 'With pleasure. Please send three songs and the number of singers.',
    },
    {
      letter: 'I need a certificate that my late aunt was a citizen.',
      desk: 'registry',
      reply: 'Please send her date of birth and last address; the registry answers within a month.',
    },
  ],
  failing: [
    {
      letter: 'I was born on your ship in 1983 and need my birth certificate.',
      desk: 'culture',
      reply: 'What a lovely story! Our film week opens on the 4th, tickets at the door.',
      fault: 'the letter goes to the wrong desk, which does not answer the request',
      agent: 'culture',
      step: 'answer',
      expect: ['coordination', 'derailment', 'communication', 'specification', 'withholding', 'context_neglect'],
    },
    {
      letter: 'Please renew passport 7781-K.',
      desk: 'visa',
      reply: '',
      fault: 'the classifier names a desk that does not exist and no branch runs',
      agent: 'registrar',
      step: 'answer',
      expect: ['coordination', 'workflow_design', 'output_validation', 'completion'],
    },
  ],
  model: ({ system }, { desk, reply }) => (system.startsWith('Registrar') ? desk : reply),
  async run({ agent, app }, { letter }) {
    const agents = {
      registrar: agent('registrar', 'Registrar: answer with passports, registry or culture.'),
      passports: agent('passports', 'Passport desk: answer in the language of the letter.'),
      registry: agent('registry', 'Registry desk: answer in the language of the letter.'),
      culture: agent('culture', 'Culture desk: answer in the language of the letter.'),
    };
    const sort = createStep({
      id: 'sort',
      inputSchema: Text,
      outputSchema: Sorted,
      execute: async ({ inputData, mastra }) => ({
        text: inputData.text,
        desk: (await mastra.getAgent('registrar').generate(inputData.text)).text,
      }),
    });
    const desk = (id) =>
      createStep({
        id,
        inputSchema: Sorted,
        outputSchema: Text,
        execute: async ({ inputData, mastra }) => ({ text: (await mastra.getAgent(id).generate(inputData.text)).text }),
      });
    const is =
      (id) =>
      async ({ inputData }) =>
        inputData.desk === id;
    const flow = createWorkflow({ id: 'letters-in', inputSchema: Text, outputSchema: z.any() })
      .then(sort)
      .branch(['passports', 'registry', 'culture'].map((id) => [is(id), desk(id)]))
      .commit();
    const run = await app({ agents, workflows: { flow } }).getWorkflow('flow').createRun();
    await run.start({ inputData: { text: letter } });
  },
};
