import { expect, test } from 'vitest';
import { MisstepError } from '../../client/misstep-client.generated.ts';
import { patiently } from './patient-load.ts';

const busy = (retryAfterSeconds: number | null = null) => new MisstepError(503, null, retryAfterSeconds);
const wrong = new MisstepError(404, null, null);

/** Fails with each error in turn, then answers. */
async function load(errors: Error[], abortAt = Number.POSITIVE_INFINITY) {
  const left = [...errors];
  const pauses: number[] = [];
  const running = new AbortController();
  const answer = patiently(
    async () => {
      const error = left.shift();
      if (error) throw error;
      return 'answer';
    },
    async (seconds) => {
      pauses.push(seconds);
      if (pauses.length === abortAt) running.abort();
    },
  )(running.signal);
  return { result: await answer.catch((error: unknown) => error), pauses, left: left.length };
}

test.each([
  ['an answer', [], 'answer', []],
  ['a busy server', [busy(), busy(), busy()], 'answer', [1, 2, 4]],
  ['a server that says when', [busy(7)], 'answer', [7]],
  ['another error', [wrong], wrong, []],
])('%s', async (_name, errors, result, pauses) => {
  expect(await load(errors)).toEqual({ result, pauses, left: 0 });
});

test('six attempts, no more', async () => {
  const { result, pauses, left } = await load(Array.from({ length: 9 }, () => busy()));
  expect([(result as MisstepError).status, pauses.length, left]).toEqual([503, 5, 3]);
});

test('nothing is asked after the view is left', async () => {
  expect((await load([busy(), busy()], 1)).left).toBe(1);
});
