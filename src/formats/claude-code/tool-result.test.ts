import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import { readToolResult } from './tool-result.ts';

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const failed = (content: string): JsonObject => ({ type: 'tool_result', tool_use_id: 't', content, is_error: true });
const passed = (content: Json): JsonObject => ({ type: 'tool_result', tool_use_id: 't', content });

describe('the recorded outcome of a tool call', () => {
  test.each<[string, JsonObject, Json, object]>([
    [
      'a command that passed',
      passed('ok'),
      { stdout: 'ok', stderr: '', interrupted: false },
      { isError: false, exitCode: 0 },
    ],
    [
      'a command that failed',
      failed('Exit code 2\nno such file'),
      'Error: Exit code 2\nno such file',
      { isError: true, exitCode: 2, refusal: null },
    ],
    [
      'a passing log that mentions exit codes',
      passed('--- PASS\nexit status 1\nExit code 1'),
      { stdout: '', stderr: '' },
      { isError: false, exitCode: 0 },
    ],
    [
      'a code that the program explains',
      passed(''),
      { stdout: '', stderr: '', returnCodeInterpretation: 'No matches found' },
      { isError: false, exitCode: null },
    ],
    [
      'a command in the background',
      passed('started'),
      { stdout: '', stderr: '', backgroundTaskId: 'b1' },
      { exitCode: null },
    ],
    [
      'a tool that returns its failure',
      passed('no such task'),
      { success: false, error: 'no such task' },
      { isError: true },
    ],
    [
      'a refusal',
      failed(`${REFUSED} STOP what you are doing and wait for the user to tell you how to proceed.`),
      'User rejected tool use',
      { refusal: { by: 'user', reason: null } },
    ],
    [
      'a refusal with a reason',
      failed(`${REFUSED} To tell you how to proceed, the user said:\nuse the other table`),
      null,
      { refusal: { by: 'user', reason: 'use the other table' } },
    ],
    [
      'a plan that is not accepted',
      failed('User chose to stay in plan mode and continue planning'),
      null,
      { refusal: { by: 'user', reason: null } },
    ],
    [
      'a call that is interrupted',
      failed('[Request interrupted by user for tool use]'),
      null,
      { refusal: { by: 'user', reason: null } },
    ],
    [
      'a denied permission',
      failed('Permission to use Bash with command rm -rf / has been denied.'),
      null,
      { refusal: { by: 'policy', reason: 'Permission to use Bash with command rm -rf / has been denied.' } },
    ],
    [
      'a permission that was not granted',
      failed("Claude requested permissions to use WebFetch, but you haven't granted it yet."),
      null,
      { refusal: { by: 'policy' } },
    ],
    [
      'a hook that refuses',
      failed('PreToolUse:Bash hook error: [guard]: not on Fridays'),
      null,
      { refusal: { by: 'policy' } },
    ],
    [
      'a call parallel to a failed one',
      failed('<tool_use_error>Sibling tool call errored</tool_use_error>'),
      'Sibling tool call errored',
      { refusal: { by: 'harness', reason: 'Sibling tool call errored' } },
    ],
    ['a log that mentions a refusal', failed(`Exit code 1\n${REFUSED}`), null, { exitCode: 1, refusal: null }],
    ['a file that mentions a refusal', passed(REFUSED), null, { isError: false, refusal: null }],
    ['a duration', passed('3 files'), { durationMs: 40, filenames: [] }, { durationMs: 40 }],
    ['a duration in seconds', passed('found'), { durationSeconds: 1.5 }, { durationMs: 1500 }],
    [
      'a subagent',
      passed([{ type: 'text', text: 'Found it.' }]),
      { agentId: 'a1', totalDurationMs: 9 },
      { agentId: 'a1', durationMs: 9, text: 'Found it.' },
    ],
    ['a picture', passed([{ type: 'image' }]), null, { text: '[image]' }],
  ])('%s', (_, block, recorded, result) => {
    expect(readToolResult(block, recorded)).toMatchObject(result);
  });

  test('a decision that is recorded with the result', () => {
    const decided = (source: string) => readToolResult(failed('no'), 'no', { decision: 'reject', source }).refusal;
    expect(decided('user_reject')).toEqual({ by: 'user', reason: null });
    expect(decided('config')).toEqual({ by: 'policy', reason: null });
    expect(readToolResult(failed('no'), 'no', { decision: 'accept', source: 'config' }).refusal).toBeNull();
  });
});
