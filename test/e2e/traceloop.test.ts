import { expect, it } from 'vitest';
import { describeProgram, toolSteps } from '../support/real-program.ts';

describeProgram('traceloop', {}, (rig) => {
  it('healthy: one trace, two agents, a tool call, nothing detected', async () => {
    const { credentials, traces } = await rig.recordTraces('workflow.mjs', 1, () => ({}));
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({
      status: 'ok',
      framework: 'traceloop',
      service_name: 'workshop',
      session_id: 'bench-3',
      agent_ids: ['mechanic', 'buyer'],
      models: ['gpt-4o'],
    });
    // For the streamed call this SDK sends an estimate of its own.
    expect(traces[0]?.total_tokens).toBeGreaterThan(150);
    expect(toolSteps(await rig.detail(credentials, traces[0]!))).toMatchObject([
      { tool: { name: 'find_part', result: { part: 'BP-204', sets: 7 } } },
    ]);
    expect(await rig.warnings(credentials)).toEqual([]);
  });

  it('failing: the tool that returns an error is detected at its step', async () => {
    const { credentials, traces } = await rig.recordTraces('workflow.mjs', 1, () => ({ FAILING: '1' }));
    const { spans } = await rig.detail(credentials, traces[0]!);
    const [detection] = await rig.found(credentials);
    expect(detection?.detection_type).toBe('tool_failure');
    expect(spans.find(({ span_id }) => span_id === detection?.span_ids[0])?.step.tool?.name).toBe('order_part');
  });
});
