import { describe, expect, it } from 'vitest';
import type { Json } from '../../core/json.ts';
import { readToolOutput } from './tool-output.ts';

const parts = (...texts: string[]): Json => texts.map((text) => ({ type: 'input_text', text }));
const chunk = (more: object) =>
  JSON.stringify({ chunk_id: 'a1b2', wall_time_seconds: 0.2, original_token_count: 3, output: 'x "y"', ...more });
const DONE = 'Script completed\nWall time 0.3 seconds\nOutput:\n';
const FAILED = 'Script failed\nWall time 0.0 seconds\nOutput:\n';
const header = (...lines: string[]) =>
  ['Chunk ID: 0f3a', 'Wall time: 0.5 seconds', ...lines, 'Original token count: 4', 'Output:\n'].join('\n');
const REJECTED = `exec_command failed: CreateProcess { message: "Rejected(\\"\`/bin/bash -lc 'echo rejected: no'\` rejected: dd is not permitted here\\")" }`;

const ROWS: [string, Json, string[], object][] = [
  [
    'JSON text with an exit code',
    '{"output":"no file","metadata":{"exit_code":2,"duration_seconds":0.1}}',
    ['shell'],
    { text: 'no file', exitCode: 2, isError: true },
  ],
  [
    'JSON text of success',
    '{"output":"","metadata":{"exit_code":0}}',
    ['shell'],
    { text: '', exitCode: 0, isError: false },
  ],
  ['an object that failed', { content: 'denied', success: false }, ['view_image'], { text: 'denied', isError: true }],
  [
    'the answer of a tool that is JSON',
    '{"answers":{"a":1}}',
    ['request_user_input'],
    { text: '{"answers":{"a":1}}', isError: null },
  ],
  [
    'a command that failed',
    `${header('Process exited with code 1')}1 failed\n`,
    ['exec_command'],
    { text: '1 failed\n', exitCode: 1, isError: true },
  ],
  [
    'a command that succeeds and prints failure phrases',
    `${header('Process exited with code 0')}Process exited with code 7\nScript failed\n`,
    ['exec_command'],
    { exitCode: 0, isError: false },
  ],
  [
    'a command killed by a signal',
    `${header('Process exited with code -1')}`,
    ['exec_command'],
    { exitCode: -1, isError: true },
  ],
  [
    'a command that runs in the background',
    `${header('Process running with session ID 71')}starting`,
    ['exec_command'],
    { text: 'starting', isError: null, sessionId: '71' },
  ],
  [
    'a patch',
    'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a.ts\n',
    ['apply_patch'],
    { isError: false, exitCode: 0 },
  ],
  [
    'a patch that does not fit',
    'apply_patch verification failed: Failed to find expected lines in /srv/a.ts:\nx',
    ['apply_patch'],
    { isError: true, exitCode: null },
  ],
  [
    'text that only mentions a failure',
    'apply_patch verification failed: is what the manual says',
    ['view_image'],
    { isError: null },
  ],
  [
    'a timeout',
    `Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\nhalf`,
    ['shell'],
    { isError: true, exitCode: 124, isTimeout: true },
  ],
  [
    'a refusal by policy',
    REJECTED,
    ['exec_command'],
    { isError: true, refusal: { by: 'policy', reason: 'dd is not permitted here' } },
  ],
  [
    'a refusal by the user',
    'exec command rejected by user',
    ['shell'],
    { isError: true, refusal: { by: 'user', reason: 'rejected by the user' } },
  ],
  [
    'a refusal by the user within a message',
    'exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    ['exec_command'],
    { refusal: { by: 'user', reason: 'rejected by the user' } },
  ],
  [
    'a patch outside of the project',
    'patch rejected: writing outside of the project; rejected by user approval settings',
    ['apply_patch'],
    {
      isError: true,
      refusal: { by: 'policy', reason: 'writing outside of the project; rejected by user approval settings' },
    },
  ],
  [
    'a denial by the sandbox',
    'sandbox denied exec error, exit code: 1, stdout: , stderr: x',
    ['shell'],
    {
      isError: true,
      refusal: { by: 'policy', reason: 'sandbox denied exec error, exit code: 1, stdout: , stderr: x' },
    },
  ],
  [
    'an argument that a team tool does not accept',
    'timeout_ms must be at least 10000',
    ['wait_agent'],
    { isError: true },
  ],
  ['an empty answer of a team tool', '', ['send_message'], { isError: null }],
  [
    'an MCP result',
    'Wall time: 0.1 seconds\nOutput:\n[{"type":"text","text":"a"}]',
    ['search'],
    { text: '[{"type":"text","text":"a"}]', isError: null },
  ],
  [
    'a script that printed an output',
    parts(DONE, 'FAIL a test\n'),
    ['exec', 'exec_command'],
    { text: 'FAIL a test\n', isError: null },
  ],
  [
    'a script that printed a result',
    parts(DONE, chunk({ exit_code: 3 })),
    ['exec', 'exec_command'],
    { text: 'x "y"', isError: true, exitCode: 3 },
  ],
  [
    'a script that printed a running command',
    parts(DONE, chunk({ session_id: 9 })),
    ['exec', 'exec_command'],
    { isError: null, sessionId: '9' },
  ],
  [
    'a script that printed results of which one failed',
    parts(DONE, `[${chunk({ exit_code: 0 })},${chunk({ exit_code: 4 })}]`),
    ['exec', 'exec_command'],
    { isError: true, exitCode: 4 },
  ],
  [
    'a result that was cut off',
    parts(
      DONE,
      `Warning: truncated output (original token count: 9000)\nTotal output lines: 2\n\n${chunk({ exit_code: 5 }).replace('"original', '"exit_code":5,"original').slice(0, 70)}`,
    ),
    ['exec', 'exec_command'],
    { isError: true, exitCode: 5 },
  ],
  [
    'a printed exit code',
    parts(DONE, 'some log', 'EXIT_CODE=2'),
    ['exec', 'exec_command'],
    { isError: true, exitCode: 2, text: 'some log\nEXIT_CODE=2' },
  ],
  [
    'an exit code within a log',
    parts(DONE, 'some log\nEXIT_CODE=2\nmore'),
    ['exec', 'exec_command'],
    { isError: null, exitCode: null },
  ],
  [
    'a printed session',
    parts(DONE, 'half a log', 'SESSION_ID=77'),
    ['exec', 'exec_command'],
    { sessionId: '77', text: 'half a log' },
  ],
  [
    'a script that runs in the background',
    'Script running with cell ID 12\nWall time 11.0 seconds\nOutput:\n',
    ['exec'],
    { cellId: '12', isError: null },
  ],
  [
    'a script whose patch does not fit',
    parts(FAILED, 'Script error:\napply_patch verification failed: invalid hunk at line 2'),
    ['exec', 'apply_patch'],
    { isError: true, message: 'apply_patch verification failed: invalid hunk at line 2' },
  ],
  [
    'a script whose command was refused',
    parts(FAILED, `Script error:\n${REJECTED}`),
    ['exec', 'exec_command'],
    { isError: true, refusal: { by: 'policy', reason: 'dd is not permitted here' } },
  ],
  [
    'a script with its own error',
    parts(FAILED, 'Script error:\nTypeError: x is not a function\n    at main.mjs:1:2'),
    ['exec', 'web__run'],
    { isError: true, refusal: null },
  ],
  ['an image', [{ type: 'input_image', image_url: 'data:' }], ['view_image'], { text: '', isError: null }],
  ['nothing', null, ['shell'], { text: '', isError: null }],
];

describe('output of a tool', () => {
  it.each(ROWS)('%s', (_title, output, tools, expected) => {
    expect(readToolOutput(output, tools)).toMatchObject(expected);
  });

  it('is the same text for equal outputs of two runs', () => {
    const second = header('Process exited with code 1').replace('0f3a', '9d9d').replace('0.5', '1.7');
    const run = (head: string) => readToolOutput(`${head}1 failed\n`, ['exec_command']);
    expect(run(second)).toEqual(run(header('Process exited with code 1')));
  });
});
