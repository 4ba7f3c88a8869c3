// Polling: a render job is watched, its worker changed when it is lost, and the film fetched at the end.
export default {
  pattern: 'polling',
  healthy: [
    { shot: 'sq04_sh020', polls: 3 },
    { shot: 'sq11_sh105', polls: 6 },
    { shot: 'sq02_sh007', polls: 2 },
    { shot: 'sq07_sh050', polls: 5, lost: 2 },
    { shot: 'sq09_sh080', polls: 8 },
    { shot: 'sq01_sh001', polls: 4, lost: 3 },
  ],
  failing: [
    {
      shot: 'sq13_sh666',
      polls: 99,
      frozen: true,
      fault: 'the job stands at the same frame and is asked again until the limit of steps',
      agent: 'render-wrangler',
      step: 'poll',
      expect: ['loop'],
    },
    {
      shot: 'sq05_sh033',
      polls: 3,
      bad: true,
      fault: 'the job ends as failed and the agent delivers a film that does not exist',
      agent: 'render-wrangler',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination', 'reasoning_action_mismatch', 'quality_gate', 'completion'],
    },
  ],
  model({ calls, result }, { shot }) {
    if (calls.length === 0) return { call: ['submit', { shot, frames: 240 }] };
    const job = /job (\w+)/.exec(calls[0].result)[1];
    if (/worker lost/.test(result))
      return { text: 'One node went away; I requeue its frames.', call: ['requeue', { job }] };
    if (calls.at(-1).name === 'fetch')
      return `${shot} is ready to view: ${result.includes('error') ? `/films/${shot}_v001.mov` : result}`;
    if (/240\/240|FAILED/.test(result)) return { call: ['fetch', { job }] };
    return { call: ['poll', { job }] };
  },
  run({ agent }, { shot, polls, lost, frozen, bad }) {
    let seen = 0;
    const tools = {
      submit: ['Submits a shot', () => `job r${shot.length}${polls}x, 240 frames, 12 nodes`],
      poll: [
        'Waits a while, then tells how far a job is',
        () => {
          seen += 1;
          if (seen === lost) return 'worker lost: node-07, 18 frames open';
          if (bad && seen === polls) return 'FAILED at 171/240: out of memory on 9 nodes';
          return frozen ? 'frame 61/240, eta unknown' : `frame ${Math.min(240, Math.round((240 * seen) / polls))}/240`;
        },
      ],
      requeue: ['Gives open frames to other nodes', () => 'requeued 18 frames on node-11'],
      fetch: [
        'Path of the finished film',
        () => {
          if (bad) throw new Error('no such file: the job has no output');
          return `/films/${shot}_v001.mov, 10.0 s`;
        },
      ],
    };
    return agent('render-wrangler', 'You watch render jobs of an animation studio.', tools, { model: 'gpt-4o-mini' })(
      `Render ${shot} and give me the path.`,
    );
  },
};
