import { buildStory } from './build-story.ts';
import { demoTraceId } from './sample-traces.ts';

const FAILED = demoTraceId('migration planner');
const LEADS =
  /The run failed, and no detector found why\. Look first at:\n +- step \d+ "[^"]+".*\n(?:.*\n)*? +- step \d+ "/;

buildStory({
  title: 'a failed run without detections',
  steps: [
    { argv: ['detectors', 'disable', 'loop', 'tool_failure', 'context_overflow'], code: 0 },
    { argv: ['demo', '--quiet'], stdout: [LEADS, 'it failed: Recursion limit of 24 reached', 'No failures found.'] },
    { argv: ['traces', 'show', FAILED], stdout: [LEADS] },
    {
      argv: ['analyze', FAILED, '--format', 'markdown'],
      stdout: [/no detector found why\. Look first at:\n\n\* step \d+ `[^`]+`/],
    },
    { argv: ['traces', 'show', FAILED, '--json'], stdout: [/"root_cause": null,\s+"leads": \[\s+\{\s+"step": \d+,/] },
  ],
});
