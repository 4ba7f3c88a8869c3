import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import { decodeRecord } from '../src/formats/records/decode-record.ts';
import { asText } from './support/invariance/as-text.ts';
import { detectedIn } from './support/invariance/detected-in.ts';

type Turn = readonly [answer: string, tool: string, input: string, output: string];

function record(task: string, turns: readonly Turn[], last: string | null): JsonObject {
  const steps = turns.flatMap(([answer, tool, input, output]) => [
    { agent: 'agent', name: 'assistant', kind: 'llm', input: '', output: answer },
    { agent: 'agent', name: tool, kind: 'tool', input, output },
  ]);
  const end = last === null ? [] : [{ agent: 'agent', name: 'assistant', kind: 'llm', input: '', output: last }];
  const user = { agent: 'user', name: 'user', kind: 'message', input: '', output: task };
  return {
    id: task,
    dataset: 'made',
    kind: 'trace',
    framework: 'made',
    task,
    text: null,
    sources: [],
    steps: [user, ...steps, ...end].map((step, index) => ({ index, ...step })),
  };
}

function search(query: string, output: string): Turn {
  return [`Thought: I look for ${query}.\nAction: Search[${query}]`, 'Search', query, output];
}

function command(line: string, output: string): Turn {
  return [`Ich versuche es so.\n\`\`\`bash\n${line}\n\`\`\``, 'bash', line, output];
}

const MISSING = 'cat: /srv/totals.csv: No such file or directory';

const RUNS: Record<string, { run: JsonObject; detection: string | null }> = {
  'a search that nothing follows': {
    run: record(
      'Who wrote the song?',
      [
        search('song', 'A song of 1912.'),
        search('song 1912', 'A songbook of 1912.'),
        search('songbook', 'A publisher.'),
      ],
      null,
    ),
    detection: 'completion/result_unanswered',
  },
  'a search that is answered': {
    run: record(
      'Who wrote the song?',
      [search('song', 'A song of 1912.'), search('song 1912', 'By A. Moe.'), search('A. Moe', 'A composer.')],
      'Finish[A. Moe]',
    ),
    detection: null,
  },
  'commands that all fail': {
    run: record(
      'Sum the totals.',
      [
        command('cat /srv/totals.csv', MISSING),
        command(
          'head -n 3 /srv/totals.csv',
          'head: cannot open /srv/totals.csv for reading: No such file or directory',
        ),
        command('wc -l /srv/totals.csv', 'wc: /srv/totals.csv: No such file or directory'),
        command("awk '{s+=$1}' /srv/totals.csv", 'awk: cannot open /srv/totals.csv (No such file or directory)'),
      ],
      null,
    ),
    detection: 'completion/ended_on_failures',
  },
  'commands that work': {
    run: record(
      'Sum the totals.',
      [
        command('ls /srv', 'sums.csv'),
        command('head -n 3 /srv/sums.csv', '1\n2\n3'),
        command('wc -l /srv/sums.csv', '3'),
      ],
      'The sum is 6.',
    ),
    detection: null,
  },
};

describe('calls that the model writes as text', () => {
  it.each(Object.entries(RUNS))('%s: the same subtypes as with recorded calls', (_name, { run, detection }) => {
    const subtypes = (record: JsonObject) =>
      detectedIn(decodeRecord(record).spans).map((line) => line.split(' ').slice(0, 2).join(' '));
    const recorded = subtypes(run);
    expect(recorded.map((line) => line.split(' ')[0])).toEqual(detection === null ? [] : [detection]);
    expect(subtypes(asText(run))).toEqual(recorded);
  });
});
