import { describe, expect, it } from 'vitest';
import { describeProgram, type Rig, toolSteps, traceOf } from '../support/real-program.ts';

const exported = (rig: Rig) => (key: string) => ({
  OTEL_SERVICE_NAME: 'workshop',
  OTEL_EXPORTER_OTLP_ENDPOINT: rig.served.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${key}`,
});

describeProgram('langchain', {}, (rig) => {
  it('agent with OpenInference: healthy, nothing is detected, everything is read', async () => {
    const { credentials, traces } = await rig.recordTraces('agent.mjs', 1, exported(rig));
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({
      status: 'ok',
      framework: 'langgraph',
      service_name: 'workshop',
      session_id: 'bench-3',
      task: 'How many sets of brake pads BP-204 are in stock?',
      models: ['gpt-4o'],
      total_tokens: 300,
    });
    expect(traces[0]?.agent_ids).toContain('stock_clerk');
    const detail = await rig.detail(credentials, traces[0]!);
    expect(toolSteps(detail)).toMatchObject([
      { agent_id: 'stock_clerk', tool: { name: 'find_part', arguments: 'BP-204', result: 'BP-204: 7 sets in stock' } },
    ]);
    expect(await rig.warnings(credentials)).toEqual([]);
  });

  it('agent with OpenInference: the tool that fails is detected at its step', async () => {
    const env = (key: string) => ({ ...exported(rig)(key), FAILING: '1' });
    const { credentials, traces } = await rig.recordTraces('agent.mjs', 1, env);
    const { spans } = await rig.detail(credentials, traces[0]!);
    const [detection] = await rig.found(credentials);
    expect(detection).toMatchObject({ detection_type: 'tool_failure', agent_id: 'stock_clerk' });
    const blamed = spans.find(({ span_id }) => span_id === detection?.span_ids[0]);
    expect(blamed?.step.tool?.name).toBe('find_part');
  });

  describe('graphs', () => {
    it('a healthy team, a loop at its node, a node that fails', async () => {
      const { credentials, traces } = await rig.recordTraces('graphs.mjs', 3, exported(rig));
      const healthy = traceOf(traces, 'workshop_run');
      expect(healthy).toMatchObject({
        status: 'ok',
        framework: 'langgraph',
        agent_ids: ['foreman', 'mechanic', 'buyer'],
        total_tokens: 900,
      });
      expect(await rig.warnings(credentials, healthy)).toEqual([]);
      const detail = await rig.detail(credentials, healthy);
      const tools = toolSteps(detail);
      expect(tools.map(({ tool }) => tool?.name)).toContain('find_part');
      expect(tools.every(({ agent_id, tool }) => agent_id === 'mechanic' && tool?.result !== null)).toBe(true);
      expect(detail.states.length).toBeGreaterThan(3);

      const looping = traceOf(traces, 'dispute');
      expect(looping).toMatchObject({ status: 'error', agent_ids: ['mechanic', 'inspector'], total_tokens: 750 });
      const [loop] = await rig.found(credentials, looping);
      expect(loop).toMatchObject({
        detection_type: 'loop',
        subtype: 'recursion_limit',
        severity: 'critical',
        agent_id: 'mechanic',
      });
      expect(loop?.explanation).toContain('mechanic → inspector');
      expect(loop?.fixes.length).toBeGreaterThan(0);

      const [failed] = await rig.found(credentials, traceOf(traces, 'invoicing'));
      expect(failed).toMatchObject({ detection_type: 'tool_failure', agent_id: 'book_invoice' });
    });
  });
});
