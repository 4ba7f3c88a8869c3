import { describe, expect, it } from 'vitest';
import { describeProgram } from '../support/real-program.ts';
import { EXECUTABLE } from '../support/served.ts';

interface ToolOutput {
  server: { name: string };
  tools: { name: string; readOnly: boolean; hasOutput: boolean }[];
  prompts: string[];
  calls: Record<string, { isError: boolean; text: string; structured?: Record<string, unknown> }>;
}

describeProgram('mcp', {}, (rig) => {
  describe.each([
    ['@modelcontextprotocol/client', 'client.mjs'],
    ['@modelcontextprotocol/sdk', 'sdk.mjs'],
  ])('%s', (_, file) => {
    it('lists the tools, finds a trace, its step and its detection, and gets errors as results', async () => {
      const credentials = await rig.tenant(file);
      const span = (id: string, name: string, parent: string | null, more: object) => ({
        traceId: '5b8efff798038103d269b633813fc60c',
        spanId: id,
        parentSpanId: parent ?? undefined,
        name,
        startTimeUnixNano: '1795300000000000000',
        endTimeUnixNano: '1795300001000000000',
        ...more,
      });
      const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
      const operation = (name: string) => text('gen_ai.operation.name', name);
      const message = 'connect ECONNREFUSED 10.20.0.7:5432';
      const spans = [
        span('eee19b7ec3c1b174', 'invoke_agent buyer', null, {
          attributes: [operation('invoke_agent'), text('gen_ai.agent.name', 'buyer')],
          status: { code: 2, message },
        }),
        span('eee19b7ec3c1b175', 'execute_tool order_part', 'eee19b7ec3c1b174', {
          attributes: [operation('execute_tool'), text('gen_ai.tool.name', 'order_part')],
          status: { code: 2, message },
        }),
      ];
      const sent = await fetch(`${rig.served.url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey },
        body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
      });
      expect(sent.status).toBe(200);
      const [trace] = await rig.analyzed(credentials, 1);
      const { code, output } = await rig.run(file, {
        MISSTEP: EXECUTABLE,
        MISSTEP_API_KEY: credentials.apiKey,
        TRACE_ID: trace!.trace_id,
      });
      expect(code, output).toBe(0);
      const { server, tools, calls } = JSON.parse(output) as ToolOutput;
      expect(server.name).toBe('misstep');
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['search_traces', 'get_trace', 'get_step', 'list_findings', 'check_text']),
      );
      expect(tools.every(({ hasOutput }) => hasOutput)).toBe(true);
      expect(calls.search_traces).toMatchObject({ isError: false });
      expect(calls.get_trace?.text).toContain('order_part');
      expect(calls.get_step?.isError).toBe(false);
      expect(calls.list_findings?.text).toContain('tool_failure');
      expect(calls.check_text?.isError).toBe(false);
      expect(calls.unknown_trace?.isError).toBe(true);
    });
  });
});
