import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A home folder with the sessions of coding agents. */
export interface AgentHome {
  home: string;
  env: Record<string, string>;
  write(path: string, text: string): string;
  close(): void;
}

export function agentHome(): AgentHome {
  const home = mkdtempSync(join(tmpdir(), 'misstep-home-'));
  return {
    home,
    env: { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), MISSTEP_DATA: join(home, 'data'), TZ: 'UTC' },
    write(path, text) {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface ClaudeSample {
  sessionId: string;
  project?: string;
  branch?: string;
  prompt?: string;
  model?: string;
  /** Unix milliseconds. */
  startMs: number;
  /** The user's text when refusing the last call; null: no call was refused. */
  refusal?: string | null;
  /** Characters of a result in the middle. */
  filler?: number;
}

/** A transcript of Claude Code: a prompt, a command that fails, an edit, a refused call, an answer. */
export function claudeTranscript(sample: ClaudeSample): string {
  const { sessionId, project = '/home/ana/parser', branch = 'tabs', startMs, refusal = null, filler = 0 } = sample;
  const { prompt = 'Make the parser accept tabs.', model = 'claude-sonnet-4-5' } = sample;
  let line = 0;
  const common = (type: string) => {
    line += 1;
    return {
      type,
      sessionId,
      cwd: project,
      gitBranch: branch,
      uuid: `${sessionId}-${line}`,
      parentUuid: line === 1 ? null : `${sessionId}-${line - 1}`,
      isSidechain: false,
      timestamp: new Date(startMs + line * 60_000).toISOString(),
      version: '2.1.0',
    };
  };
  const usage = {
    input_tokens: 1000,
    cache_read_input_tokens: 9000,
    cache_creation_input_tokens: 0,
    output_tokens: 100,
  };
  const answer = (...content: object[]) => {
    const message = {
      id: `msg_${line + 1}`,
      type: 'message',
      role: 'assistant',
      model,
      content,
      usage,
      stop_reason: 'tool_use',
    };
    return { ...common('assistant'), message };
  };
  const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const result = (tool_use_id: string, content: string, is_error: boolean, more = {}) => ({
    ...common('user'),
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content, is_error }] },
    ...more,
  });
  const refused =
    refusal === null
      ? []
      : [
          answer(call('c4', 'Bash', { command: 'git push origin main' })),
          result(
            'c4',
            `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${refusal}`,
            true,
            { toolUseResult: 'User rejected tool use' },
          ),
        ];
  const lines = [
    { ...common('user'), message: { role: 'user', content: prompt } },
    answer(call('c1', 'Bash', { command: 'node check.js' })),
    result('c1', 'Error: Exit code 1\nno tabs', true),
    answer(call('c2', 'Read', { file_path: `${project}/parser.js` })),
    result('c2', `export function parse() {}\n${'x'.repeat(filler)}`, false),
    answer(call('c3', 'Edit', { file_path: `${project}/parser.js`, old_string: 'a', new_string: 'b' })),
    result('c3', 'The file has been updated.', false),
    ...refused,
    { ...answer({ type: 'text', text: 'The parser accepts tabs.' }) },
  ];
  return `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`;
}

/** A session of Pi. */
export function piSession(id: string, cwd: string, startMs: number): string {
  const at = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();
  const lines = [
    { type: 'session', version: 3, id, timestamp: at(0), cwd },
    {
      type: 'message',
      id: 'a1',
      parentId: null,
      timestamp: at(1),
      message: { role: 'user', content: [{ type: 'text', text: 'Sort the list' }] },
    },
    {
      type: 'message',
      id: 'a2',
      parentId: 'a1',
      timestamp: at(2),
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'Sorted.' }],
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 },
        stopReason: 'stop',
      },
    },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
