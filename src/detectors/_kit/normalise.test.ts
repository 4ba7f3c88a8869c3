import { describe, expect, it } from 'vitest';
import { withoutVolatile } from './normalise.ts';

describe('withoutVolatile', () => {
  it.each([
    ['at 2026-01-01T10:00:00.123Z', 'at 2027-11-30 09:59:59+01:00'],
    ['took 12 ms', 'took 1.5 seconds'],
    ['<object at 0x7f3a9c>', '<object at 0x1b2d>'],
    ['wrote /tmp/abc123', 'wrote /tmp/zz.9'],
    ['request id 8d0c7b1e-91d3-4f9e-8a55-0123456789ab', 'request id 00000000-91d3-4f9e-8a55-0123456789ab'],
    ['"traceId": "8d0c7b1e-91d3-4f9e-8a55-0123456789ab"', '"traceId": "00000000-91d3-4f9e-8a55-0123456789ab"'],
    ['run_id=8D0C7B1E-91D3-4F9E-8A55-0123456789AB', 'run_id=00000000-91D3-4F9E-8A55-0123456789AB'],
    ['"toolCallId":"call_1a8556ee0"', '"toolCallId":"call_9f21c07b4"'],
    ['toolu_01AbCdEf9', 'toolu_02XyZw441'],
    [
      '"subAgentThreadId":"8d0c7b1e-91d3-4f9e-8a55-0123456789ab"',
      '"subAgentThreadId":"00000000-91d3-4f9e-8a55-0123456789ab"',
    ],
    ['a  b\n', 'a b'],
    ['Chunk ID: 3f9a1c\nWall time: 0.0531 seconds\nok', 'Chunk ID: 77b02e\nWall time: 1.2 seconds\nok'],
    ['Wall time 5.0 seconds', 'Wall time 0.1 seconds'],
    ['Exit Code: 1\nProcess Group PGID: 4711', 'Exit Code: 1\nProcess Group PGID: 12'],
    ['no\n<shellId: 0 completed with exit code 1>', 'no\n<shellId: 12 completed with exit code 1>'],
    ['Process running with session ID 81', 'Process running with session ID 14432'],
  ])('%j equals %j', (a, b) => expect(withoutVolatile(a)).toBe(withoutVolatile(b)));

  it.each([
    ['order 8d0c7b1e-91d3-4f9e-8a55-0123456789ab', 'order 00000000-91d3-4f9e-8a55-0123456789ab'],
    ['{"id":"8d0c7b1e-91d3-4f9e-8a55-0123456789ab"}', '{"id":"00000000-91d3-4f9e-8a55-0123456789ab"}'],
    ['45 % done', '90 % done'],
    ['call_center', 'call_taker'],
    ['page 2 of 9', 'page 3 of 9'],
    ['on 2026-01-01', 'on 2026-01-02'],
    ['/srv/a', '/srv/b'],
    ['Exit Code: 1', 'Exit Code: 2'],
    ['<shellId: 0 completed with exit code 1>', '<shellId: 0 completed with exit code 2>'],
  ])('%j differs from %j', (a, b) => expect(withoutVolatile(a)).not.toBe(withoutVolatile(b)));
});
