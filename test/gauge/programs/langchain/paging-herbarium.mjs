// Paging by cursor: sheets of a herbarium are counted by collector, as deep as the cursor goes; some ask for a filter first.
import { createAgent } from 'langchain';
import { z } from 'zod';

const COLLECTORS = ['Amsel', 'Brückner', 'da Costa', 'Einarsdóttir'];
const sheetsOf = (genus, count) =>
  Array.from({ length: count }, (_, n) => ({
    no: `${genus.slice(0, 3).toUpperCase()}-${String(n * 13 + 101)}`,
    by: COLLECTORS[(n * 7 + (n >> 1) * 5 + (n >> 2) + genus.length) % 4],
    year: 1880 + ((n * 37) % 110),
  }));

export default {
  pattern: 'paging',
  healthy: [
    { genus: 'Carex', count: 18, size: 6 },
    { genus: 'Salix', count: 25, size: 5 },
    { genus: 'Viola', count: 7, size: 7 },
    { genus: 'Hieracium', count: 44, size: 8 },
    { genus: 'Rubus', count: 30, size: 10, filter: true },
    { genus: 'Alchemilla', count: 12, size: 3, filter: true },
    { genus: 'Draba', count: 33, size: 4 },
  ],
  failing: [
    {
      genus: 'Potentilla',
      count: 40,
      size: 5,
      early: 2,
      fault: 'stops after two of eight pages and gives their count as that of the whole collection',
      agent: 'herbarium_clerk',
      step: 'answer',
      expect: ['completion', 'quality_gate', 'grounding', 'withholding', 'hallucination', 'retrieval_quality'],
    },
    {
      genus: 'Festuca',
      count: 24,
      size: 6,
      broken: true,
      fault: 'the cursor is refused in each call and the count of the first page is given as the whole',
      agent: 'herbarium_clerk',
      step: 'list_sheets',
      expect: ['tool_failure', 'completion', 'grounding', 'quality_gate', 'hallucination', 'loop'],
    },
  ],
  model({ calls, result }, { genus, filter, early, broken }) {
    const own = calls.filter(({ name }) => name === 'list_sheets');
    if (filter && calls.length === 0)
      return { text: 'Let me see which filters there are.', call: ['list_filters', {}] };
    if (own.length === 0) return { call: ['list_sheets', { genus, cursor: null }] };
    const pages = own.flatMap((call) => (call.result.startsWith('{') ? [JSON.parse(call.result)] : []));
    if (broken && own.length < 4) return { call: ['list_sheets', { genus, cursor: pages[0].cursor }] };
    const next = broken ? null : JSON.parse(result).cursor;
    if (next && !(early <= own.length)) return { call: ['list_sheets', { genus, cursor: next }] };
    const counts = Map.groupBy(
      pages.flatMap(({ sheets }) => sheets),
      ({ by }) => by,
    );
    const whole = pages.flatMap(({ sheets }) => sheets).length;
    const list = [...counts].map(([by, sheets]) => `${by} ${sheets.length}`).join(', ');
    if (early || broken) return `The whole collection holds ${whole} sheets of ${genus}: ${list}.`;
    return `${genus}, sheets by collector: ${list}.${counts.has('Einarsdóttir') ? '' : ' None is by Einarsdóttir.'}`;
  },
  async run({ chat, tool }, { genus, count, size, broken }) {
    const sheets = sheetsOf(genus, count);
    const tools = [
      tool(
        'list_sheets',
        'Sheets of a genus, by page',
        { genus: z.string(), cursor: z.string().nullable() },
        ({ cursor }) => {
          if (broken && cursor) return 'InvalidCursor: the cursor is bound to another session';
          const from = cursor ? Number(Buffer.from(cursor, 'base64url').toString()) : 0;
          const to = from + size;
          return {
            sheets: sheets.slice(from, to),
            cursor: to < count ? Buffer.from(String(to)).toString('base64url') : null,
          };
        },
      ),
      tool('list_filters', 'Fields to filter by', {}, () => ['genus', 'year', 'by']),
    ];
    const agent = createAgent({
      model: chat(),
      tools,
      name: 'herbarium_clerk',
      systemPrompt: 'You answer questions on the herbarium. A list ends when its cursor is null.',
    });
    await agent.invoke(
      {
        messages: [
          {
            role: 'user',
            content: `How many sheets of ${genus} came from each collector? Did Einarsdóttir collect any?`,
          },
        ],
      },
      { recursionLimit: 60 },
    );
  },
};
