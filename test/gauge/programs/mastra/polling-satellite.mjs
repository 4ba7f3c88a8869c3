// Polling in a workflow: a step looks at a download again and again (dountil); then an agent describes the picture's metadata.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { advance } from '../../kit/fixed-environment.mjs';

const Pass = z.object({ scene: z.string(), looks: z.number(), percent: z.number(), note: z.string() });

export default {
  pattern: 'polling',
  healthy: [
    { scene: 'S2-33TVM-0311', speed: 22, say: 'Clear sky over the delta, 2 % cloud, tide low.' },
    { scene: 'S2-31UFU-0407', speed: 40, say: 'Zwei Drittel unter Wolken, nur der Hafen ist zu erkennen.' },
    { scene: 'L9-191028', speed: 13, say: 'Snow line near 1,900 metres; usable.' },
    { scene: 'S1-GRD-7781', speed: 55, say: 'Radar scene, so clouds do not matter; ice edge visible.' },
    { scene: 'S2-52SCB-0229', speed: 34, say: '黄砂で全体に霞んでいますが、海岸線は読み取れます。' },
    { scene: 'L8-016041', speed: 18, say: 'Haze, but the fields can be told apart.' },
  ],
  failing: [
    {
      scene: 'S2-10SEG-0519',
      speed: 0,
      limit: 14,
      say: '',
      fault: 'the download stands at zero and is looked at until the workflow gives up',
      agent: 'watch',
      step: 'watch',
      expect: ['loop', 'tool_failure', 'completion'],
    },
    {
      scene: 'S3-OLCI-4410',
      speed: 30,
      stopAt: 60,
      say: 'Complete scene received without gaps; the plume reaches twelve kilometres out to sea.',
      fault: 'the workflow goes on at 60 per cent and the agent calls the scene complete',
      agent: 'describer',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'quality_gate', 'completion'],
    },
  ],
  model: (_turn, { say }) => say,
  async run({ agent, app }, { scene, speed, limit, stopAt = 100 }) {
    const describer = agent('describer', 'Describe in one sentence what the scene is good for.');
    const watch = createStep({
      id: 'watch',
      inputSchema: Pass,
      outputSchema: Pass,
      execute: async ({ inputData }) => {
        advance(30_000);
        const looks = inputData.looks + 1;
        if (limit && looks > limit)
          throw new Error(`download of ${scene} stalled at ${inputData.percent} % for ${looks * 30} s`);
        const percent = Math.min(100, inputData.percent + speed);
        return { scene, looks, percent, note: percent === 100 ? 'received' : 'receiving' };
      },
    });
    const describe = createStep({
      id: 'describe',
      inputSchema: Pass,
      outputSchema: z.object({ text: z.string() }),
      execute: async ({ inputData, mastra }) => ({
        text: (
          await mastra
            .getAgent('describer')
            .generate(`Scene ${inputData.scene}: ${inputData.percent} % received in ${inputData.looks} looks.`)
        ).text,
      }),
    });
    const flow = createWorkflow({ id: 'downlink', inputSchema: Pass, outputSchema: z.object({ text: z.string() }) })
      .dountil(watch, async ({ inputData }) => inputData.percent >= stopAt)
      .then(describe)
      .commit();
    const mastra = app({ agents: { describer }, workflows: { flow } });
    const run = await mastra.getWorkflow('flow').createRun();
    const ended = await run.start({ inputData: { scene, looks: 0, percent: 0, note: 'queued' } });
    if (ended.status !== 'success') throw ended.error ?? new Error(ended.status);
  },
};
