import { beforeEach, describe, expect, it } from 'vitest';
import { LogOutput } from './log-output.ts';

let written: string;
/** Bytes that the reader still accepts. */
let room: number;
let failure: string | null;
let timers: (() => void)[];
let output: LogOutput;
beforeEach(() => {
  [written, room, failure, timers] = ['', Number.POSITIVE_INFINITY, null, []];
  output = new LogOutput({
    target: {
      write(bytes) {
        if (failure !== null) throw Object.assign(new Error(failure), { code: failure });
        if (room === 0) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
        const taken = Math.min(room, bytes.length);
        room -= taken;
        written += Buffer.from(bytes.subarray(0, taken)).toString();
        return taken;
      },
    },
    after: (_ms, run) => void timers.push(run),
    droppedLine: (count) => `dropped ${count}\n`,
  });
});

describe('the log', () => {
  it('writes line by line', () => {
    output.write('one\n');
    output.write('two\n');
    expect(written).toBe('one\ntwo\n');
  });

  it('keeps what a slow reader does not take yet, in order, and never waits', () => {
    room = 5;
    output.write('one\n');
    output.write('two\n');
    output.write('three\n');
    expect(written).toBe('one\nt');
    room = Number.POSITIVE_INFINITY;
    timers.shift()?.();
    expect([written, timers.length]).toEqual(['one\ntwo\nthree\n', 0]);
  });

  it('drops lines while the reader is blocked and reports that afterwards', () => {
    room = 0;
    const line = `${'x'.repeat(99_999)}\n`;
    for (let at = 0; at < 15; at += 1) output.write(line);
    room = Number.POSITIVE_INFINITY;
    timers.shift()?.();
    expect(written).toBe(`${line.repeat(10)}dropped 5\n`);
  });

  it.each(['EPIPE', 'ENOSPC', 'EIO', 'EBADF'])('continues after %s and reports dropped lines', (code) => {
    failure = code;
    output.write('one\n');
    output.write('two\nthree\n');
    failure = null;
    output.write('four\n');
    expect(written).toBe('four\ndropped 3\n');
  });
});
