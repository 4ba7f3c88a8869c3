// Polling without news: a data export answers “running” in the same words until it is ready.
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';
import { advance } from '../../kit/fixed-environment.mjs';

export default {
  pattern: 'polling',
  healthy: [
    { table: 'orders_2025', polls: 3, rows: 18230 },
    { table: 'returns', polls: 5, rows: 911 },
    { table: 'müşteriler', polls: 2, rows: 40412 },
    { table: 'ledger_q1', polls: 7, rows: 77120 },
    { table: 'visits', polls: 9, rows: 3100422 },
    { table: 'stock_moves', polls: 4, rows: 6650 },
    { table: 'coupons', polls: 6, rows: 58, queued: 3 },
  ],
  failing: [
    {
      table: 'audit_log',
      polls: 99,
      fault: 'the export never gets ready and the agent asks until the limit of steps without an answer',
      agent: 'exporter',
      step: 'export_status',
      expect: ['loop', 'completion'],
    },
    {
      table: 'payments',
      polls: 4,
      expired: true,
      fault: 'the link is expired and the agent hands it out as valid',
      agent: 'exporter',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination', 'quality_gate'],
    },
  ],
  model({ calls, result }, { table, expired }) {
    if (calls.length === 0) return { call: ['start_export', { table, format: 'parquet' }] };
    const { id } = JSON.parse(calls[0].result);
    if (calls.at(-1).name === 'download_link') {
      const { url, rows } = JSON.parse(result);
      return expired
        ? `Here is your export of ${table}: ${url}. The link is valid for a day.`
        : `${table} is exported, ${rows} rows: ${url}`;
    }
    return { call: [JSON.parse(result).state === 'ready' ? 'download_link' : 'export_status', { id }] };
  },
  run({ chat, tool, named }, { table, polls, rows, queued = 0, expired }) {
    let requests = 0;
    const id = `ex-${table.length}${polls}`;
    const tools = {
      start_export: tool('Starts an export', { table: z.string(), format: z.string() }, () => ({
        id,
        state: 'accepted',
      })),
      export_status: tool('State of an export; waits up to a minute', { id: z.string() }, () => {
        requests += 1;
        advance(60_000);
        if (requests <= queued) return { id, state: 'queued' };
        return { id, state: requests >= polls ? 'ready' : 'running' };
      }),
      download_link: tool('Link to a finished export', { id: z.string() }, () =>
        expired
          ? { url: `https://files.test/${id}`, expired: true, error: 'gone: link expired 2 h ago' }
          : { url: `https://files.test/${id}`, rows },
      ),
    };
    return generateText({
      model: chat('gpt-4o-mini'),
      system: 'You export tables for analysts. Wait until the export is ready, then give the link.',
      prompt: `Please export ${table} for me as parquet.`,
      stopWhen: isStepCount(14),
      tools,
      ...named('exporter'),
    });
  },
};
