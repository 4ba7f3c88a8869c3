import { expect, test } from 'vitest';
import { encodeExportResponse, encodeStatus, grpcCodeOf } from './encode-response.ts';

test.each([
  { rejected: 0, message: '', json: '{}', hex: '' },
  {
    rejected: 1,
    message: 'bad',
    json: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"bad"}}',
    hex: '0a0708011203626164',
  },
  {
    rejected: 0,
    message: 'hm',
    json: '{"partialSuccess":{"rejectedSpans":"0","errorMessage":"hm"}}',
    hex: '0a041202686d',
  },
  {
    rejected: 300,
    message: '',
    json: '{"partialSuccess":{"rejectedSpans":"300","errorMessage":""}}',
    hex: '0a0308ac02',
  },
])('export response: $rejected rejected, "$message"', ({ rejected, message, json, hex }) => {
  expect(encodeExportResponse('json', rejected, message).toString()).toBe(json);
  expect(encodeExportResponse('protobuf', rejected, message).toString('hex')).toBe(hex);
});

test('status', () => {
  expect(encodeStatus('json', 3, 'no "span"').toString()).toBe('{"code":3,"message":"no \\"span\\""}');
  expect(encodeStatus('protobuf', 3, 'no').toString('hex')).toBe('080312026e6f');
  expect(encodeStatus('protobuf', 0, '').length).toBe(0);
});

test.each([
  [200, 0],
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [413, 8],
  [418, 3],
  [429, 8],
  [500, 13],
  [503, 14],
  [599, 2],
])('HTTP %i is gRPC %i', (status, code) => {
  expect(grpcCodeOf(status)).toBe(code);
});
