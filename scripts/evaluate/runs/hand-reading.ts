import { readFileSync } from 'node:fs';

/** Detections of a draw that readers found right in text, step and fix. */
export interface HandReading {
  right: number;
  read: number;
  /** Heading of the draw in docs/read-by-hand.md. */
  draw: string;
}

const REPORT = new URL('../../../docs/read-by-hand.md', import.meta.url);
const HEADING = /^## (.{1,60} draw)$/;
const FAILING_ROW = /^\| failing runs .*\| (\d+) of (\d+) \|$/;

/** The last draw in the report on failing runs; null if it has none. */
export function lastHandReading(report: string = readFileSync(REPORT, 'utf8')): HandReading | null {
  let draw = 'First draw';
  let last: HandReading | null = null;
  for (const line of report.split('\n')) {
    draw = HEADING.exec(line)?.[1] ?? draw;
    const row = FAILING_ROW.exec(line);
    if (row !== null) last = { right: Number(row[1]), read: Number(row[2]), draw };
  }
  return last;
}
