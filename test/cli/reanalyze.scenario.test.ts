import { buildStory } from './build-story.ts';

const UNKNOWN = 'f'.repeat(32);

buildStory({
  title: 'traces reanalyze',
  async prepare(run) {
    await run(['demo']);
    const { items } = JSON.parse((await run(['traces', 'list', '--json'])).stdout) as { items: { trace_id: string }[] };
    return { trace: items[0]?.trace_id ?? '' };
  },
  steps: [
    { argv: ['traces', 'reanalyze', '<trace>'], stdout: '', stderr: '1 trace to be analyzed again.\n' },
    {
      argv: ['traces', 'reanalyze', '<trace>', UNKNOWN],
      stderr: ['1 trace to be analyzed again.', `There is no trace ${UNKNOWN}.`],
    },
    { argv: ['traces', 'reanalyze', '--given-up'], stderr: '0 traces to be analyzed again.\n' },
    { argv: ['traces', 'reanalyze', '--given-up', '--json'], stdout: [/"scheduled": 0,\n +"not_found": \[\]/] },
    { argv: ['traces', 'reanalyze'], code: 2, stderr: ['Name traces, or give --given-up; not both.'] },
    { argv: ['traces', 'reanalyze', '<trace>', '--given-up'], code: 2, stderr: ['not both'] },
  ],
});
