import { scoreGrounding } from '../../src/detectors/_readings/support/score.ts';
import { scanText } from '../../src/detectors/injection/scan.ts';
import { scoreInjection } from '../../src/detectors/injection/score.ts';
import { KEY_TABLE } from '../../src/formats/redaction/key-shapes.ts';
import { createRedactor } from '../../src/formats/redaction/redactor.ts';
import { INJECTION_TEXTS, REDACTION_TEXTS, repeated, TOKEN_BODY } from '../../test/support/hostile-texts.ts';
import { cpuMs } from '../evaluate/cpu-clock.ts';

/** How processor time grows when a text becomes four times as long: about 4 is linear, about 16 quadratic. */
export interface Growth {
  name: string;
  /** Milliseconds for the longer text. */
  ms: number;
  growth: number;
}

export const MAX_GROWTH = 9;
const TIMES_LONGER = 4;
/** Shorter times count as this, because the compiler and the garbage collector take about as long. */
const MIN_MS = 15;
/** The fastest try counts, because other programs use the same caches. */
const TRIES = 3;
/** The last row of each table is deliberately quadratic: a measurement that does not detect it is invalid. */
export const SELF_CHECK = 'self-check: a quadratic loop';

export function measureRedactionGrowth(): Growth[] {
  const secrets = createRedactor({ secrets: true, personalData: false, salt: 'x' });
  const all = createRedactor({ secrets: true, personalData: true, salt: 'x' });
  return [
    ...KEY_TABLE.flatMap(({ issuer, starts: [start] }) => [
      measureGrowth(`${issuer}, before one long run`, 32_768, (size) =>
        secrets.redactJson([start + repeated(TOKEN_BODY, size)]),
      ),
      measureGrowth(`${issuer}, repeated`, 32_768, (size) =>
        secrets.redactJson([repeated(`-${start}${TOKEN_BODY.slice(0, 9)}`, size)]),
      ),
    ]),
    ...REDACTION_TEXTS.map(({ name, piece }) =>
      measureGrowth(name, 131_072, (size) => all.redactJson([repeated(piece, size)])),
    ),
    selfCheck(),
  ];
}

export function measureDetectorGrowth(): Growth[] {
  return [
    ...INJECTION_TEXTS.flatMap(({ name, piece }) => [
      measureGrowth(`injection, spans of ${name}`, 200_000, (size) => scanText(repeated(piece, size))),
      measureGrowth(`injection, score of ${name}`, 100_000, (size) => scoreInjection(repeated(piece, size), 'data')),
    ]),
    measureGrowth('grounding, a long source', 200_000, (size) =>
      scoreGrounding('The ferry carries goods. The goods carry the number.', [numberedSentences(size)]),
    ),
    selfCheck(),
  ];
}

function numberedSentences(length: number): string {
  const sentences: string[] = [];
  for (let size = 0; size < length; size += sentences.at(-1)!.length + 1)
    sentences.push(`The ferry number ${sentences.length} carries goods.`);
  return sentences.join(' ');
}

function selfCheck(): Growth {
  return measureGrowth(SELF_CHECK, 16_384, (length) => {
    let sum = 0;
    for (let at = 0; at < length; at += 1) for (let next = 0; next < length; next += 8) sum ^= at & next;
    return sum;
  });
}

function measureGrowth(name: string, length: number, run: (length: number) => unknown): Growth {
  const before = Math.max(
    MIN_MS,
    fastest(length, run, () => false),
  );
  const isLinear = (ms: number) => ms <= MAX_GROWTH * before;
  const ms = fastest(length * TIMES_LONGER, run, isLinear);
  return { name, ms, growth: ms / before };
}

/** Stops at the first try that is fast enough. */
function fastest(length: number, run: (length: number) => unknown, isEnough: (ms: number) => boolean): number {
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && !isEnough(fastestMs); left -= 1) {
    const started = cpuMs();
    run(length);
    fastestMs = Math.min(fastestMs, cpuMs() - started);
  }
  return fastestMs;
}
