import { buildStory, type Step } from './build-story.ts';

/** `<detection>` and `<fix>` stand for the first detection of the demo and its first fix. */
const STEPS: Step[] = [
  { argv: ['feedback', 'list'], stdout: '', stderr: 'No feedback found.\n' },
  { argv: ['feedback', 'stats'], stdout: '', stderr: 'No feedback yet.\n' },
  { argv: ['feedback', 'recommend'], stdout: '', stderr: 'No feedback yet.\n' },
  {
    argv: ['feedback', 'add', '<detection>', 'false_positive', '--comment', 'it was asked to'],
    stdout: [/^fbk_\w+\n$/],
    stderr: '',
  },
  { argv: ['feedback', 'add', '<detection>', 'true_positive', '--json'], stdout: [/"is_valid": true/] },
  {
    argv: ['feedback', 'list'],
    stdout: [
      /^CREATED +SAID +COUNTS +FAILURE +COMMENT +DETECTION\n/,
      /true_positive +yes +loop\/recursion_limit +– /,
      /false_positive +replaced +loop\/recursion_limit +it was asked to /,
    ],
    stderr: '',
  },
  { argv: ['feedback', 'list', '--said', 'false_positive', '--json'], stdout: [/"total": 1/, /"is_current": false/] },
  { argv: ['feedback', 'list', '--detection', '<detection>', '--limit', '1'], stderr: ['1 of 2 feedback; next page'] },
  {
    argv: ['feedback', 'stats'],
    stdout: [/^FAILURE +TP +FP +TN +FN +PRECISION/, /loop\/\w+ +1 +0 +0 +0 +1\.00 \(0\.21–1\.00\)/, /all +1 /],
    stderr: [/an upper bound of recall/],
  },
  { argv: ['feedback', 'stats', '--json'], stdout: [/"recall_estimate": "/] },
  {
    argv: ['feedback', 'recommend'],
    stdout: [
      /loop\/recursion_limit +1 +none +0\.\d\d +– /,
      'loop/recursion_limit: Needs feedback on 20 detections; there is 1.',
    ],
    stderr: '',
  },
  { argv: ['feedback', 'recommend', '--precision', '0.9', '--json'], stdout: [/"target_precision": 0\.9/] },
  {
    argv: ['thresholds', 'recommend'],
    stdout: ['loop/recursion_limit: Needs feedback on 20 detections; there is 1.'],
    stderr: '',
  },
  { argv: ['feedback', 'recommend', '--precision', 'high'], code: 2, stderr: ['Give a number from 0.5 to 1'] },
  { argv: ['feedback', 'add', '<detection>', 'maybe'], code: 2, stderr: ['Allowed choices are true_positive, '] },
  { argv: ['feedback', 'add', 'det_none', 'true_positive'], code: 2, stderr: [/^misstep: not_found: /] },
  { argv: ['feedback', 'list', '--type', 'bogus'], code: 2, stderr: ['Allowed choices are loop, '] },
  { argv: ['detections', 'list', '--validated', 'yes'], stdout: ['<detection>'] },
  { argv: ['detections', 'fixes', '<detection>'], stdout: ['<fix>', /low risk · confidence \d+ %/], stderr: '' },
  { argv: ['detections', 'fixes', '<detection>', '--json'], stdout: [/"applied_at": null/] },
  { argv: ['detections', 'apply', '<detection>', '<fix>'], stdout: [/^applied 2026-05-04T/], stderr: '' },
  { argv: ['detections', 'apply', '<detection>', '<fix>', '--json'], stdout: [/"applied_by": "\w+"/] },
  { argv: ['detections', 'fixes', '<detection>'], stdout: [/ · applied 2026-05-04T/] },
  { argv: ['detections', 'apply', '<detection>', 'fix_none'], code: 2, stderr: [/^misstep: not_found: /] },
  { argv: ['detections', 'fixes', 'det_none'], code: 2, stdout: '', stderr: [/^misstep: not_found: /] },
];

buildStory({
  title: 'feedback',
  steps: STEPS,
  async prepare(run) {
    await run(['demo', '--quiet']);
    const list = JSON.parse((await run(['detections', 'list', '--type', 'loop', '--json'])).stdout);
    const looped = list.items.find(({ subtype }: { subtype: string }) => subtype === 'recursion_limit');
    return { detection: looped.detection_id, fix: looped.fixes[0].fix_id };
  },
  normalize: (text) =>
    text
      .replaceAll(/"(created|applied)_by": "\w+"/g, '"$1_by": <who>')
      .replaceAll(/\d\d:\d\d\.\d{3}Z/g, '<moment>')
      .replaceAll(/eyJ\w+|--cursor \S+/g, '<cursor>'),
});
