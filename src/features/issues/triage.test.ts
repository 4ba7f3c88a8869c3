import { describe, expect, it } from 'vitest';
import { afterAction, afterOccurrence, OPEN, resolved, statusAt, type Triage, type TriageAction } from './triage.ts';

const NOW = 1_000;
const forever: TriageAction = { kind: 'ignore', until: null, runs: null };
const ignored = (value: Partial<Extract<TriageAction, { kind: 'ignore' }>>) =>
  afterAction({ ...forever, ...value } as TriageAction, NOW, 'key_1');
const newRun = (seenAt: number) => ({ seenAt, isNewRun: true });

describe('an action of a person', () => {
  it.each<[TriageAction, Partial<Triage>]>([
    [{ kind: 'resolve' }, { status: 'resolved', resolved_at: NOW, resolved_by: 'key_1', last_resolved_at: NOW }],
    [forever, { status: 'ignored', ignored_at: NOW }],
    [{ ...forever, until: 2_000 } as TriageAction, { status: 'ignored', ignored_at: NOW, ignored_until: 2_000 }],
    [{ ...forever, runs: 100 } as TriageAction, { status: 'ignored', ignored_at: NOW, ignored_runs_left: 100 }],
    [
      { kind: 'snooze', until: 2_000 },
      { status: 'ignored', ignored_at: NOW, ignored_until: 2_000 },
    ],
    [
      { kind: 'snooze', until: null },
      { status: 'ignored', ignored_at: NOW, ignored_until: NOW + 86_400_000 },
    ],
    [{ kind: 'reopen' }, {}],
  ])('%o replaces everything that was said before', (action, expected) => {
    expect(afterAction(action, NOW, 'key_1')).toEqual({ ...OPEN, ...expected });
  });
});

describe('the status', () => {
  it.each<[string, Triage, number, string]>([
    ['of an issue that is ignored forever', ignored({}), 1e15, 'ignored'],
    ['before the end of a snooze', ignored({ until: 2_000 }), 1_999, 'ignored'],
    ['at the end of a snooze', ignored({ until: 2_000 }), 2_000, 'open'],
    ['of a resolved issue', resolved(NOW, 'key_1'), 1e15, 'resolved'],
  ])('%s', (_name, issue, now, status) => {
    expect(statusAt(issue, now)).toBe(status);
  });
});

describe('one more detection', () => {
  it.each<[string, Triage, number, Triage | null]>([
    ['of an open issue changes nothing', OPEN, 5_000, null],
    [
      'after a resolution is a regression',
      resolved(NOW, 'key_1'),
      1_001,
      { ...OPEN, regressed_at: 9_000, last_resolved_at: NOW },
    ],
    ['of a run before the resolution is none', resolved(NOW, 'key_1'), 1_000, null],
    ['of a run before it resolved itself opens it again', resolved(NOW, null), 1_000, OPEN],
    ['after it resolved itself is a regression', resolved(NOW, null), 1_001, { ...OPEN, regressed_at: 9_000 }],
    ['of an issue that is ignored forever changes nothing', ignored({}), 5_000, null],
    ['after the end of a snooze opens it', ignored({ until: 9_000 }), 5_000, OPEN],
    ['before the end of a snooze changes nothing', ignored({ until: 9_001 }), 5_000, null],
    ['ends "until it recurs"', ignored({ runs: 1 }), 1_001, OPEN],
    ['of an earlier run does not end "until it recurs"', ignored({ runs: 1 }), 1_000, null],
    ['counts down', ignored({ runs: 3 }), 1_001, ignored({ runs: 2 })],
  ])('%s', (_name, issue, seenAt, expected) => {
    expect(afterOccurrence(issue, newRun(seenAt), 9_000)).toEqual(expected);
  });

  it('of the same run is not counted twice', () => {
    expect(afterOccurrence(ignored({ runs: 3 }), { seenAt: 5_000, isNewRun: false }, 9_000)).toBeNull();
  });

  it('that comes hundred times reopens an issue ignored for hundred more runs', () => {
    let issue = ignored({ runs: 100 });
    for (let run = 1; run < 100; run += 1) issue = afterOccurrence(issue, newRun(5_000), 9_000) ?? issue;
    expect(issue).toMatchObject({ status: 'ignored', ignored_runs_left: 1 });
    expect(afterOccurrence(issue, newRun(5_000), 9_000)).toEqual(OPEN);
  });
});
