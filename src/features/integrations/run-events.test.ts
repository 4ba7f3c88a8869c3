import { expect, it } from 'vitest';
import type { EventHub } from '../streams/event-hub.ts';
import { createRunEvents } from './run-events.ts';
import type { RunNotice } from './run-notice.ts';

/** A run as one request reports it. */
function notice(digest: string, hasEnded: boolean, newestNs: bigint, isError = false): RunNotice {
  return { traceId: 't', spanCount: 1, digest, root: { name: 'run', runId: 'r', hasEnded, isError, newestNs } };
}

const WITHOUT_ROOT: RunNotice = { traceId: 't', spanCount: 3, digest: 'parts', root: null };

it.each<[string, RunNotice[], string[]]>([
  [
    'starts, ends, and is sent again with all steps',
    [notice('a', false, 1n), notice('b', true, 9n), notice('c', true, 9n), WITHOUT_ROOT],
    ['started running', 'finished ok', 'updated ok', 'updated ok'],
  ],
  ['is sent again', [notice('a', true, 9n), notice('a', true, 9n)], ['finished ok']],
  ['failed', [notice('a', true, 9n, true), WITHOUT_ROOT], ['finished error', 'updated error']],
  ['whose beginning comes late', [notice('b', true, 9n), notice('a', false, 1n)], ['finished ok', 'updated ok']],
  [
    'goes on behind its end',
    [notice('a', true, 9n), notice('b', false, 12n), notice('c', true, 15n)],
    ['finished ok', 'updated running', 'finished ok'],
  ],
])('a run that %s finishes once an end', (_name, notices, expected) => {
  const published: string[] = [];
  const publish: EventHub['publish'] = (_no, _integration, event, data) => {
    published.push(`${event.replace('execution.', '')} ${data.status}`);
  };
  const events = createRunEvents({ publish });
  for (const run of notices) events.publish(1, 'flowplatform', [run], 'webhook');
  expect(published).toEqual(expected);
});
