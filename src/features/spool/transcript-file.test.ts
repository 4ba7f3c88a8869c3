import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hookContentType } from './hook-content-type.ts';
import { namedTranscripts } from './named-transcripts.ts';
import { claudeFolder, readTranscriptFile } from './transcript-file.ts';

let home: string;
let folder: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'transcript-'));
  folder = claudeFolder(home, {});
  mkdirSync(join(folder, 'shop', 'dir.jsonl'), { recursive: true });
  writeFileSync(join(home, 'secret.jsonl'), 'secret');
  writeFileSync(join(folder, 'shop', 's-1.jsonl'), 'lines');
  writeFileSync(join(folder, 'shop', 'settings.json'), '{}');
  symlinkSync(join(home, 'secret.jsonl'), join(folder, 'shop', 'link.jsonl'));
  symlinkSync(home, join(folder, 'away'));
  linkSync(join(folder, 'shop', 's-1.jsonl'), join(home, 'other.jsonl'));
  writeFileSync(join(folder, 'shop', 'large.jsonl'), '');
  truncateSync(join(folder, 'shop', 'large.jsonl'), 64 * 1024 * 1024 + 1);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a transcript that a hook named', () => {
  test('is read from the folder of the agent', () => {
    expect(readTranscriptFile(join(folder, 'shop', 's-1.jsonl'), folder)?.toString()).toBe('lines');
  });

  test.each<[string, () => string]>([
    ['outside of that folder', () => join(home, 'secret.jsonl')],
    ['that leads out of it', () => join(folder, '..', '..', 'secret.jsonl')],
    ['by a link out of it', () => join(folder, 'shop', 'link.jsonl')],
    ['below a linked folder', () => join(folder, 'away', 'secret.jsonl')],
    ['of another kind', () => join(folder, 'shop', 'settings.json')],
    ['that is a folder', () => join(folder, 'shop', 'dir.jsonl')],
    ['that is too large', () => join(folder, 'shop', 'large.jsonl')],
    ['that is missing', () => join(folder, 'shop', 'none.jsonl')],
    ['by a relative path', () => 's-1.jsonl'],
    ['of the system', () => '/etc/passwd'],
  ])('is not read from a path %s', (_, path) => {
    expect(readTranscriptFile(path(), folder)).toBeNull();
  });

  test('is not read without a folder of the agent', () => {
    expect(readTranscriptFile(join(folder, 'shop', 's-1.jsonl'), join(home, 'none'))).toBeNull();
  });
});

describe('the transcripts that entries name', () => {
  const entry = (record: object, contentType: string | null = hookContentType('claude-code')) => ({
    receivedAtMs: 1,
    contentType,
    tenantId: null,
    body: Buffer.from(JSON.stringify(record)),
  });
  const stop = { hook_event_name: 'Stop', session_id: 's-1', transcript_path: '/t.jsonl' };
  const end = { ...stop, hook_event_name: 'SessionEnd' };
  test.each<[string, ReturnType<typeof entry>[], object[]]>([
    ['a stop', [entry(stop)], [{ path: '/t.jsonl', sessionId: 's-1', isTurn: true }]],
    ['an end', [entry(end)], [{ isTurn: false }]],
    ['both, once', [entry(stop), entry(end), entry(stop)], [{ isTurn: false }]],
    ['another event', [entry({ ...stop, hook_event_name: 'PreToolUse', tool_input: 'Stop' })], []],
    ['a record without an agent', [entry(stop, null)], []],
    ['a record of another agent', [entry(stop, hookContentType('codex'))], []],
    ['no path', [entry({ ...stop, transcript_path: null })], []],
    ['no session', [entry({ ...stop, session_id: 7 })], []],
  ])('%s', (_, entries, expected) => {
    expect(namedTranscripts(entries)).toMatchObject(expected);
    expect(namedTranscripts(entries)).toHaveLength(expected.length);
  });
});
