import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentHome, claudeTranscript } from '../../test/support/agent-home.ts';
import { PROGRAM } from '../../test/support/served.ts';

export interface SessionFigures {
  sessions: number;
  megabytesEach: number;
  /** Seconds from start to end of the process. */
  coldList: number;
  secondList: number;
  /** The newest of them read in full. */
  fullSessions: number;
  fullRead: number;
  secondFullList: number;
  /** All of them read in full, by a list that finds only the newest in the index. */
  allRead: number;
  /** With all figures of all sessions in the index. */
  allIndexed: number;
}

const SESSIONS = 500;
const BYTES = 4_000_000;
const TURN_BYTES = 20_000;
const FULL_SESSIONS = 24;
const START = Date.UTC(2026, 0, 1);

/** Lists sessions without and with an index, then reads some and all of them in full. Needs 2 GB in the temporary folder. */
export function measureSessions(isQuick: boolean): SessionFigures {
  const home = agentHome();
  const count = isQuick ? SESSIONS / 10 : SESSIONS;
  try {
    for (let number = 0; number < count; number += 1)
      home.write(`.claude/projects/-home-ana-p${number % 20}/${idOf(number)}.jsonl`, longTranscript(number));
    const run = (...argv: string[]) => seconds(argv, home.env);
    const everything = ['--limit', String(count)];
    const newest = ['--limit', String(FULL_SESSIONS)];
    run('--quick', '--limit', '1');
    rmSync(join(home.home, 'cache'), { recursive: true, force: true });
    return {
      sessions: count,
      megabytesEach: BYTES / 1e6,
      coldList: run('--quick', ...everything),
      secondList: run('--quick', ...everything),
      fullSessions: FULL_SESSIONS,
      fullRead: run('--full', ...newest),
      secondFullList: run('--full', ...newest),
      allRead: run('--full', ...everything),
      allIndexed: run('--full', ...everything),
    };
  } finally {
    home.close();
  }
}

function idOf(number: number): string {
  return `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

/** Turns of one session, one after the other. */
function longTranscript(number: number): string {
  const sessionId = idOf(number);
  const startMs = START + number * 3_600_000;
  const turn = claudeTranscript({ sessionId, project: `/home/ana/p${number % 20}`, startMs, filler: TURN_BYTES });
  const turns = Array.from({ length: Math.ceil(BYTES / turn.length) }, (_, at) =>
    turn
      .replaceAll(`${sessionId}-`, `${sessionId}-${at}-`)
      .replaceAll('"msg_', `"msg_${at}_`)
      .replaceAll(/"(c[1-4])"/g, `"$1-${at}"`),
  );
  return turns.join('');
}

/** @throws Error if the command fails */
function seconds(argv: readonly string[], env: Record<string, string>): number {
  const [command, ...before] = PROGRAM;
  const start = performance.now();
  const { status, stderr } = spawnSync(command, [...before, 'sessions', ...argv], {
    env: { PATH: process.env.PATH, ...env },
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`misstep sessions ${argv.join(' ')}: ${stderr}`);
  return (performance.now() - start) / 1000;
}
