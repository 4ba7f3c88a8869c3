import { pick, type Random, randomInteger, seededRandom } from '../random.ts';

export type ToolUse = 'read' | 'edit' | 'shell';

export interface ScriptCall {
  id: string;
  use: ToolUse;
  /** The file, or for `shell` the command. */
  target: string;
  output: string;
  /** Set for `shell`. */
  exitCode: number | null;
  startMs: number;
  endMs: number;
}

export interface ScriptUsage {
  fresh: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** One response of the model: calls, or the final text of a turn. */
export interface ScriptAnswer {
  id: string;
  startMs: number;
  endMs: number;
  usage: ScriptUsage;
  calls: ScriptCall[];
  words: string;
}

export interface ScriptTurn {
  promptId: string;
  prompt: string;
  atMs: number;
  answers: ScriptAnswer[];
  endMs: number;
}

/** The events of a session, from which each source derives its records. */
export interface SessionScript {
  sessionId: string;
  folder: string;
  startMs: number;
  turns: ScriptTurn[];
  endMs: number;
}

const START = Date.UTC(2026, 2, 1, 10);
const FILES = ['hull.ts', 'mast.ts', 'sail.ts', 'rudder.ts', 'keel.ts', 'anchor.ts'];
/** Some prompts and commands repeat verbatim, so that sources cannot be joined by text alone. */
const PROMPTS = ['Make the boat turn.', 'Go on.', 'The mast bends.', 'Go on.'];
const COMMANDS = ['npm test', 'npm test', 'npm run build', 'ls src'];

/** @param calls number of tool calls, spread over four turns */
export function sessionScript(seed: number, calls: number): SessionScript {
  const random = seededRandom(seed);
  const script = new ScriptGenerator(random, `boat-${seed}`);
  const turns = PROMPTS.map((prompt, at) => script.turn(prompt, Math.ceil((calls - at) / PROMPTS.length)));
  return { sessionId: `boat-${seed}`, folder: '/srv/boat', startMs: START, turns, endMs: script.nowMs + 1_000 };
}

export const answersIn = ({ turns }: SessionScript): ScriptAnswer[] => turns.flatMap(({ answers }) => answers);
export const callsIn = (script: SessionScript): ScriptCall[] => answersIn(script).flatMap(({ calls }) => calls);

class ScriptGenerator {
  nowMs = START;
  readonly #random: Random;
  readonly #name: string;
  #count = 0;

  constructor(random: Random, name: string) {
    this.#random = random;
    this.#name = name;
  }

  turn(prompt: string, calls: number): ScriptTurn {
    const atMs = this.#pass(3_000, 60_000);
    const promptId = this.#id('prompt');
    const answers: ScriptAnswer[] = [];
    for (let left = calls; left > 0; ) {
      const together = Math.min(left, randomInteger(this.#random, 5) === 0 ? 3 : 1);
      answers.push(this.#answer(together, ''));
      left -= together;
    }
    answers.push(this.#answer(0, `Turn ${promptId} is done.`));
    return { promptId, prompt, atMs, answers, endMs: this.nowMs };
  }

  #answer(calls: number, words: string): ScriptAnswer {
    const startMs = this.#pass(200, 900);
    const endMs = this.#pass(1_000, 9_000);
    const usage = {
      fresh: randomInteger(this.#random, 900) + 10,
      cacheRead: randomInteger(this.#random, 90_000),
      cacheWrite: randomInteger(this.#random, 4_000),
      output: randomInteger(this.#random, 2_000) + 5,
    };
    return {
      id: this.#id('answer'),
      startMs,
      endMs,
      usage,
      calls: Array.from({ length: calls }, () => this.#call()),
      words,
    };
  }

  #call(): ScriptCall {
    const use = pick<ToolUse>(this.#random, ['read', 'edit', 'shell', 'shell']);
    const target = use === 'shell' ? pick(this.#random, COMMANDS) : `/srv/boat/src/${pick(this.#random, FILES)}`;
    const exitCode = use === 'shell' ? (target === 'npm test' ? randomInteger(this.#random, 2) : 0) : null;
    const output = `${target} gave ${this.#count}`;
    const startMs = this.#pass(100, 400);
    return { id: this.#id('call'), use, target, output, exitCode, startMs, endMs: this.#pass(20, 5_000) };
  }

  #pass(least: number, most: number): number {
    this.nowMs += least + randomInteger(this.#random, most - least);
    return this.nowMs;
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#name}-${this.#count}`;
  }
}
