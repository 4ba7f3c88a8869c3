import { expect, it } from 'vitest';
import { describeProgram, toolSteps } from '../support/real-program.ts';

const QUESTION = 'How many sets of brake pads BP-204 are in stock?';

describeProgram('mastra', {}, (rig) => {
  it('healthy: an agent and a workflow, everything is read, nothing is detected', async () => {
    const { credentials, traces } = await rig.recordTraces('app.mjs', 2, () => ({}));
    expect(traces).toHaveLength(2);
    const agent = traces.find(({ task }) => task === QUESTION);
    expect(agent).toMatchObject({
      status: 'ok',
      framework: 'mastra',
      service_name: 'workshop',
      agent_ids: ['Stock Clerk'],
      models: ['gpt-4o'],
      total_tokens: 300,
    });
    expect(toolSteps(await rig.detail(credentials, agent!))).toMatchObject([
      { agent_id: 'Stock Clerk', tool: { name: 'find_part', arguments: { part: 'BP-204' }, result: { sets: 7 } } },
    ]);
    expect(await rig.warnings(credentials)).toEqual([]);
  });

  it('failing: the tool and the step of the workflow are detected at their steps', async () => {
    const { credentials, traces } = await rig.recordTraces('app.mjs', 2, () => ({ FAILING: '1' }));
    const blamed = async (trace: { trace_id: string }) => {
      const { spans } = await rig.detail(credentials, trace);
      const found = await rig.found(credentials, trace);
      return found.map(({ span_ids }) => spans.find(({ span_id }) => span_id === span_ids[0])?.name);
    };
    const workflow = traces.find(({ status }) => status === 'error');
    expect(await blamed(workflow!)).toEqual(
      expect.arrayContaining([expect.stringContaining('find_part'), expect.stringContaining('book')]),
    );
    const agent = traces.find(({ status }) => status === 'ok');
    expect(await blamed(agent!)).toEqual([expect.stringContaining('find_part')]);
  });
});
