import { expect, test } from 'vitest';
import { MisstepError } from '../../client/misstep-client.generated.ts';
import { withRetries } from './with-retries.ts';

const busy = (retryAfterSeconds: number | null = null) => new MisstepError(503, null, retryAfterSeconds);
const notFound = new MisstepError(404, null, null);

/** Rejects with each error in turn, then resolves. */
async function load(errors: Error[], abortAt = Number.POSITIVE_INFINITY) {
  const remaining = [...errors];
  const delays: number[] = [];
  const controller = new AbortController();
  const result = withRetries(
    async () => {
      const error = remaining.shift();
      if (error) throw error;
      return 'response';
    },
    async (seconds) => {
      delays.push(seconds);
      if (delays.length === abortAt) controller.abort();
    },
  )(controller.signal);
  return { result: await result.catch((error: unknown) => error), pauses: delays, left: remaining.length };
}

test.each([
  ['a response is returned without a delay', [], 'response', []],
  ['the delay doubles while the server is busy', [busy(), busy(), busy()], 'response', [1, 2, 4]],
  ['the delay is the Retry-After of the server', [busy(7)], 'response', [7]],
  ['any other error is thrown without a retry', [notFound], notFound, []],
])('%s', async (_name, errors, result, pauses) => {
  expect(await load(errors)).toEqual({ result, pauses, left: 0 });
});

test('the sixth error is thrown', async () => {
  const { result, pauses, left } = await load(Array.from({ length: 9 }, () => busy()));
  expect([(result as MisstepError).status, pauses.length, left]).toEqual([503, 5, 3]);
});

test('an aborted load is not retried', async () => {
  expect((await load([busy(), busy()], 1)).left).toBe(1);
});
