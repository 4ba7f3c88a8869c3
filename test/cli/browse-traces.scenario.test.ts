import { buildStory, type Step } from './build-story.ts';
import { demoTraceId } from './sample-traces.ts';

const LOOP = demoTraceId('migration planner');

const STORY: Step[] = [
  { argv: ['traces', 'facets'], stdout: '', stderr: 'No traces found.\n' },
  {
    argv: ['overview', '--since', '2026-05-03'],
    stdout: [/new traces +0, 0 failed; 0 running now\n/, /open issues +0, /],
    stderr: '',
  },
  { argv: ['demo', '--quiet'] },
  {
    argv: ['traces', 'facets', '--top', '1'],
    stdout: [/^STATUS +TRACES\nok +\d\n… and 1 more value\n/, /\nFRAMEWORK +TRACES\nopenai-agents +5\n/],
    stderr: '',
  },
  {
    argv: ['traces', 'facets', '--model', 'gpt-4-turbo', '--json'],
    stdout: [/"counted": \d/, /"others": 0/],
    stderr: '',
  },
  { argv: ['traces', 'facets', '--top', '0'], code: 2, stdout: '', stderr: [/top/] },
  { argv: ['traces', 'list', '--sort', 'cost', '--limit', '1'], stdout: [/guide/], stderr: [/1 of 7 traces/] },
  { argv: ['traces', 'list', '--min-cost', '1000'], stdout: '', stderr: 'No traces found.\n' },
  { argv: ['traces', 'list', '--min-cost', '-1'], code: 2, stdout: '', stderr: [/min-cost/] },
  { argv: ['traces', 'list', '--grade', 'E'], code: 2, stdout: '', stderr: [/grade/] },
  { argv: ['traces', 'list', '--query', LOOP.slice(0, 12)], stdout: [new RegExp(LOOP)], stderr: '' },
  { argv: ['traces', 'graph', LOOP], stdout: [/^KIND +NAME +STEPS/, /\nFROM +EDGE +TO +COUNT/], stderr: '' },
  { argv: ['traces', 'graph', 'feed'], code: 2, stdout: '', stderr: [/no trace feed/] },
  {
    argv: ['traces', 'find', LOOP, 'PLANNER', '--limit', '1'],
    stdout: [/^STEP +FIELD +TEXT/],
    stderr: [/next page: --from-step/],
  },
  { argv: ['traces', 'find', LOOP, 'no such words'], stdout: '', stderr: 'Not found.\n' },
  {
    argv: ['agents', 'show', 'planner'],
    stdout: [/^agent +planner\n/, /DETECTION +SEVERITY +COUNT/, /loop\//],
    stderr: '',
  },
  { argv: ['agents', 'show', 'nobody'], code: 2, stdout: '', stderr: [/no such agent/] },
  { argv: ['detections', 'list', '--agent', 'planner'], stdout: [/loop/], stderr: '' },
  { argv: ['detections', 'list', '--sort', 'started_at'], stdout: [/loop/], stderr: '' },
  { argv: ['detections', 'list', '--sort', 'agent'], code: 2, stdout: '', stderr: [/created_at, started_at/] },
  { argv: ['detections', 'list', '--agent', 'nobody'], stdout: '', stderr: 'No detections found.\n' },
  {
    argv: ['overview', '--since', '2026-05-03'],
    stdout: [
      /new traces +7, \d failed/,
      /open issues +\d+, \d critical, \d+ new/,
      /\nNew traces started since then\. New detections and issues were made since then/,
    ],
    stderr: '',
  },
  { argv: ['overview', '--since', 'soon'], code: 2, stdout: '', stderr: [/since/] },
  { argv: ['analytics', 'series', 'runs'], stdout: [/^DAY +ALL\n2026-05-04 +7\n$/], stderr: '' },
  {
    argv: ['analytics', 'series', 'cost', '--by', 'framework'],
    stdout: [/^DAY +OPENAI-AGENTS +/, /\n2026-05-04 +\$\d/],
    stderr: '',
  },
  { argv: ['analytics', 'series', 'cost', '--by', 'agent'], code: 2, stdout: '', stderr: [/agent/] },
  { argv: ['analytics', 'series', 'weather'], code: 2, stdout: '', stderr: [/metric/] },
];

buildStory({
  title: 'looking at traces, agents and figures',
  steps: STORY,
  // A server analyzes traces in the background, so the number of waiting traces varies.
  normalize: (text) => text.replaceAll(/\d+ waiting,/g, '<some> waiting,'),
});
