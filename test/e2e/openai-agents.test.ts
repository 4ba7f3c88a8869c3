import { expect, it } from 'vitest';
import { describeProgram, toolSteps, traceOf } from '../support/real-program.ts';

describeProgram('openai-agents', {}, (rig) => {
  it.each([
    ['chat completions', 'chat_completions', ['gpt-4o']],
    // Its spans name a response and no model.
    ['responses', 'responses', []],
  ])('%s: a hand-off is healthy, the tool that throws is detected at its step', async (_, api, models) => {
    const { credentials, traces } = await rig.recordTraces('agents.mjs', 2, () => ({ API: api }));
    const healthy = traceOf(traces, 'Stock question');
    expect(healthy).toMatchObject({
      status: 'ok',
      framework: 'openai-agents',
      agent_ids: ['foreman', 'clerk'],
      models,
      total_tokens: 450,
      session_id: 'bench-3',
    });
    expect(await rig.warnings(credentials, healthy)).toEqual([]);
    const tools = toolSteps(await rig.detail(credentials, healthy));
    expect(tools).toContainEqual(
      expect.objectContaining({ agent_id: 'clerk', tool: expect.objectContaining({ name: 'find_part' }) }),
    );

    const failing = traceOf(traces, 'Order');
    const { spans } = await rig.detail(credentials, failing);
    const [detection] = await rig.found(credentials, failing);
    expect(detection).toMatchObject({ detection_type: 'tool_failure', agent_id: 'buyer' });
    expect(spans.find(({ span_id }) => span_id === detection?.span_ids[0])?.step.tool?.name).toBe('order_part');
  });
});
