import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { errorsOf } from './check-record.ts';
import { decodeHook } from './decode-hook.ts';

const NOW = 1_800_000_000_000;
const models = createModelCatalog();

function recordsOf(agent: string): Json[] {
  const file = new URL(`../../../test/fixtures/hooks/${agent}-session.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line)!);
}

function traceOf(records: readonly Json[]) {
  const spans = mergeSpans(records.flatMap((record, at) => decodeHook(record, NOW + at * 1000).spans));
  return buildTrace(spans, { models, isSettled: false });
}

/** One line per step: depth, agent, kind, name and outcome. */
function outline(records: readonly Json[]): string[] {
  return traceOf(records).steps.map(({ depth, agent, kind, name, error, output, endMs }) => {
    const outcome =
      error === null ? output.replaceAll('\n', ' ') : `! ${error.type}: ${error.message.replaceAll('\n', ' ')}`;
    return `${'  '.repeat(depth)}${agent} ${kind} ${name}${outcome === '' ? '' : ` -> ${outcome}`}${endMs === null ? ' …' : ''}`;
  });
}

const SESSIONS: [string, object, string[]][] = [
  [
    'codex',
    { framework: 'codex', task: 'Sort the timetable by pier.', status: 'error', models: ['gpt-5-codex'] },
    [
      'codex agent codex',
      '  codex message prompt -> Sort the timetable by pier.',
      '  codex tool Bash -> pier,time B,09:00 A,10:00 ',
      '  codex tool apply_patch -> Done!',
      '  reviewer agent reviewer -> Looks right.',
      '  codex other compaction',
      '  codex llm answer -> The timetable is sorted by pier.',
      '  codex message prompt -> And by time.',
      '  codex other interruption -> ! interrupted: interrupted by the user',
    ],
  ],
  [
    'gemini-cli',
    { framework: 'gemini-cli', task: 'Which pier has the most ferries?', status: 'ok' },
    [
      'gemini-cli agent gemini-cli',
      '  gemini-cli message prompt -> Which pier has the most ferries?',
      '  gemini-cli tool read_file -> pier,time B,09:00',
      '  gemini-cli tool run_shell_command -> ! tool_error: sort: cannot read: nothing',
      '  gemini-cli llm answer -> Pier B.',
    ],
  ],
  [
    'cursor',
    { framework: 'cursor', task: 'Add a pier column.', status: 'ok', models: ['claude-sonnet-4-5'] },
    [
      'cursor agent cursor',
      '  cursor message prompt -> Add a pier column.',
      '  cursor tool Shell -> {"output":"timetable.csv"}',
      '  cursor tool Write -> ! error: file is read-only',
      '  explore agent explore',
      '  cursor llm answer -> The file is read-only.',
    ],
  ],
  [
    'claude-code-troubled',
    { framework: 'claude-code', task: 'Mend the tests.', status: 'error' },
    [
      'claude-code agent claude-code -> ! overloaded: 529 overloaded',
      '  claude-code message prompt -> Mend the tests.',
      '  claude-code tool Bash -> 2 passed',
      '  claude-code tool Bash -> ! tool_error: Exit code 1 1 failed',
      '  claude-code tool Write -> ! permission_denied: outside the project',
      '  Explore agent Explore -> Nothing.',
      '    Explore tool Grep',
      '  claude-code other compaction',
      '  claude-code llm answer -> Waiting for the build.',
      '  claude-code llm chat -> ! overloaded: 529 overloaded',
    ],
  ],
];

describe.each(SESSIONS)('a session of %s', (agent, facts, steps) => {
  const records = recordsOf(agent);

  it('is a trace with its steps', () => {
    expect(traceOf(records)).toMatchObject(facts);
    expect(outline(records)).toEqual(steps);
  });

  it('is the same when every record is sent twice', () => {
    const spans = (list: readonly Json[]) => list.flatMap((record) => decodeHook(record, NOW).spans);
    expect(mergeSpans(spans([...records, ...records])).map(({ spanId }) => spanId)).toEqual(
      mergeSpans(spans(records)).map(({ spanId }) => spanId),
    );
  });

  it('is accepted by the endpoint', () => {
    expect(records.flatMap((record) => errorsOf(record, ''))).toEqual([]);
  });
});
