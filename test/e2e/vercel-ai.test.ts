import { describe, expect, it } from 'vitest';
import { describeProgram, type Rig, toolSteps, traceOf } from '../support/real-program.ts';

const exported =
  (rig: Rig, variant: string, more: Record<string, string> = {}) =>
  (key: string) => ({
    VARIANT: variant,
    OTEL_SERVICE_NAME: 'workshop',
    OTEL_EXPORTER_OTLP_ENDPOINT: rig.served.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${key}`,
    ...more,
  });

describeProgram('vercel-ai', {}, (rig) => {
  describe.each([
    ['ai 7, stock OpenTelemetry', 'stock'],
    ['ai 7, LegacyOpenTelemetry', 'legacy'],
    ['ai 6', 'ai6'],
  ])('%s', (_, variant) => {
    it('healthy: agent, tool call and tokens are read, nothing is detected; the rejected call is', async () => {
      const { credentials, traces } = await rig.recordTraces('agent.mjs', 3, exported(rig, variant));
      const clerk = traceOf(traces, 'stock-clerk');
      expect(clerk).toMatchObject({
        status: 'ok',
        framework: 'vercel-ai',
        service_name: 'workshop',
        task: 'How many sets of brake pads BP-204 are in stock?',
        models: ['gpt-4o'],
        total_tokens: 300,
      });
      expect(await rig.warnings(credentials, clerk)).toEqual([]);
      expect(toolSteps(await rig.detail(credentials, clerk))).toMatchObject([
        { agent_id: 'stock-clerk', tool: { name: 'find_part', result: { part: 'BP-204', sets: 7 } } },
      ]);
      expect(await rig.warnings(credentials, traceOf(traces, 'writer'))).toEqual([]);
      const refused = traceOf(traces, 'refused');
      expect(refused.status).toBe('error');
      expect(await rig.found(credentials, refused)).toMatchObject([
        { detection_type: 'tool_failure', subtype: 'rate_limit', agent_id: 'refused' },
      ]);
    });

    it('failing: the tool that throws is detected at its step', async () => {
      const { credentials, traces } = await rig.recordTraces('agent.mjs', 3, exported(rig, variant, { FAILING: '1' }));
      const clerk = traceOf(traces, 'stock-clerk');
      const { spans } = await rig.detail(credentials, clerk);
      const found = await rig.found(credentials, clerk);
      const failure = found.find(({ detection_type }) => detection_type === 'tool_failure');
      expect(failure?.agent_id).toBe('stock-clerk');
      expect(spans.find(({ span_id }) => span_id === failure?.span_ids[0])?.step.tool?.name).toBe('find_part');
    });
  });
});
