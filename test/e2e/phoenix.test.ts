import { expect, it } from 'vitest';
import { describeProgram, type Rig, toolSteps } from '../support/real-program.ts';

const exported =
  (rig: Rig, more: Record<string, string> = {}) =>
  (key: string) => ({
    PHOENIX_COLLECTOR_ENDPOINT: rig.served.url,
    PHOENIX_API_KEY: key,
    ...more,
  });

describeProgram('phoenix', {}, (rig) => {
  it('healthy: everything is read, nothing is detected', async () => {
    const { credentials, traces } = await rig.recordTraces('app.mjs', 1, exported(rig));
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({
      status: 'ok',
      service_name: 'workshop',
      session_id: 'bench-3',
      task: 'How many sets of BP-204 are in stock?',
      agent_ids: ['mechanic'],
      models: ['gpt-4o'],
      total_tokens: 150,
    });
    expect(toolSteps(await rig.detail(credentials, traces[0]!))).toMatchObject([
      { agent_id: 'mechanic', tool: { name: 'find_part', arguments: { part: 'BP-204' }, result: { sets: 7 } } },
    ]);
    expect(await rig.warnings(credentials)).toEqual([]);
  });

  it('failing: the tool that fails is detected at its step', async () => {
    const { credentials, traces } = await rig.recordTraces('app.mjs', 1, exported(rig, { FAILING: '1' }));
    const { spans } = await rig.detail(credentials, traces[0]!);
    const [detection] = await rig.found(credentials);
    expect(detection).toMatchObject({ detection_type: 'tool_failure', agent_id: 'mechanic' });
    expect(spans.find(({ span_id }) => span_id === detection?.span_ids[0])?.step.tool?.name).toBe('find_part');
  });
});
