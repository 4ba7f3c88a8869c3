// Paging: an accountant's agent walks through every page of a list and adds up what it saw.
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';

const refund = (n) => ({
  id: `re_${8800 + n * 7}`,
  cents: 1200 + ((n * 731) % 5400),
  shop: ['Leith', 'Cramond', 'Portobello'][n % 3],
});
const pageOf = (total, size, from) => {
  const rows = Array.from({ length: Math.min(size, total - from) }, (_, at) => refund(from + at));
  return { rows, next: from + size < total ? from + size : null };
};
const sumOf = (calls) =>
  calls.flatMap(({ result }) => JSON.parse(result).rows).reduce((sum, { cents }) => sum + cents, 0);

export default {
  pattern: 'paging',
  healthy: [
    { total: 11, size: 4, month: 'January' },
    { total: 23, size: 5, month: 'February' },
    { total: 9, size: 10, month: 'March' },
    { total: 40, size: 4, month: 'April' },
    { total: 36, size: 6, month: 'May' },
    { total: 17, size: 3, month: 'June' },
    { total: 52, size: 8, month: 'July' },
  ],
  failing: [
    {
      total: 48,
      size: 6,
      month: 'August',
      stopAfter: 1,
      fault: 'reads one page of eight and claims the total of the month',
      agent: 'refund-auditor',
      step: 'answer',
      expect: ['completion', 'quality_gate', 'grounding', 'withholding', 'hallucination'],
    },
    {
      total: 30,
      size: 6,
      month: 'September',
      stuck: true,
      fault: 'asks for the first page until the limit of steps',
      agent: 'refund-auditor',
      step: 'list_refunds',
      expect: ['loop'],
    },
  ],
  model({ calls, result }, { month, stopAfter, stuck }) {
    if (calls.length === 0) return { call: ['list_refunds', { month, from: 0 }] };
    const { next } = JSON.parse(result);
    if (stuck) return { call: ['list_refunds', { month, from: 0 }] };
    if (next !== null && !(stopAfter <= calls.length)) return { call: ['list_refunds', { month, from: next }] };
    const euros = (sumOf(calls) / 100).toFixed(2);
    const count = calls.flatMap((call) => JSON.parse(call.result).rows).length;
    if (stopAfter) return `Done. I went through all refunds of ${month}; together they come to ${euros} euros.`;
    return `${month}: ${count} refunds, ${euros} euros in total. No refund is above 66 euros.`;
  },
  run: ({ chat, tool, named }, { month, total, size }) =>
    generateText({
      model: chat('gpt-4o-mini'),
      system: 'You audit card refunds. The list comes in pages; `next` is the offset of the following page, or null.',
      prompt: `What did we pay back in ${month}, over all shops? I need the sum to the cent.`,
      stopWhen: isStepCount(16),
      tools: {
        list_refunds: tool('Refunds of a month', { month: z.string(), from: z.number() }, ({ from }) =>
          pageOf(total, size, from),
        ),
      },
      ...named('refund-auditor'),
    }),
};
