import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Prompts that a user selects in the MCP host. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'what_went_wrong',
    {
      title: 'What went wrong?',
      description: 'Explains the detections of one run, or of the newest one with detections.',
      argsSchema: z.object({
        trace_id: z.string().max(200).optional().describe('Default: the newest with detections'),
      }),
    },
    ({ trace_id }) => ({ messages: [{ role: 'user', content: { type: 'text', text: question(trace_id) } }] }),
  );
}

function question(traceId: string | undefined): string {
  const which =
    traceId === undefined
      ? 'Find the newest trace with detections (search_traces with min_severity info and limit 1)'
      : `Take the trace ${JSON.stringify(traceId)} (get_trace)`;
  return [
    `${which} and tell me what went wrong in it.`,
    'Explain the most severe detection with explain_finding, read the step it names, and show me what suggest_fix proposes.',
    'State the confidence of each detection. Change nothing before I agree.',
  ].join(' ');
}
