import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Questions a person picks from a menu of the host. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'what_went_wrong',
    {
      title: 'What went wrong?',
      description: 'Explains what went wrong in one run, or in the newest one with findings.',
      argsSchema: z.object({ trace_id: z.string().max(200).optional().describe('The newest with findings if absent') }),
    },
    ({ trace_id }) => ({ messages: [{ role: 'user', content: { type: 'text', text: question(trace_id) } }] }),
  );
}

function question(traceId: string | undefined): string {
  const which =
    traceId === undefined
      ? 'Find the newest trace with findings (search_traces with min_severity info and limit 1)'
      : `Take the trace ${JSON.stringify(traceId)} (get_trace)`;
  return [
    `${which} and tell me what went wrong in it.`,
    'Explain the worst finding with explain_finding, read the step it names, and show me what suggest_fix proposes.',
    'Say how sure each finding is. Change nothing before I agree.',
  ].join(' ');
}
