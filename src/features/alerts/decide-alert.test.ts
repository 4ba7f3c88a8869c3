import { describe, expect, it } from 'vitest';
import { type AlertSituation, decideAlert, FOLD_MS } from './decide-alert.ts';
import { DEFAULT_PREFERENCES, type Preferences } from './preferences.ts';

const NOON = Date.UTC(2026, 0, 15, 12);
const MORNING = Date.UTC(2026, 0, 16, 7);
/** In a quiet window; only `critical` is loud enough by default. */
const QUIET = { quietUntil: MORNING };
const situation = (value: Partial<AlertSituation>): AlertSituation => ({
  type: 'loop',
  severity: 'warning',
  isHistory: false,
  isWithdrawn: false,
  issueStatus: 'open',
  fold: null,
  hasChannel: true,
  preferences: DEFAULT_PREFERENCES,
  quietUntil: null,
  now: NOON,
  ...value,
});
const floors = (min_severity: Preferences['min_severity'], loop?: Preferences['min_severity']): Preferences => ({
  ...DEFAULT_PREFERENCES,
  min_severity,
  per_detector: loop === undefined ? {} : { loop: { min_severity: loop } },
});
const IGNORED: Partial<AlertSituation> = { issueStatus: 'ignored' };
const fold = (severity: AlertSituation['severity'], closesAt = NOON + 1) => ({ severity, closesAt });

it('repeats are folded for ten minutes', () => {
  expect(FOLD_MS).toBe(600_000);
});

describe('an alert', () => {
  it.each<[string, Partial<AlertSituation>, string]>([
    ['goes out', {}, 'send'],
    ['goes out for what belongs to no issue', { issueStatus: null }, 'send'],
    ['of history is dropped', { isHistory: true }, 'drop history'],
    ['about what is withdrawn is dropped', { isWithdrawn: true }, 'drop withdrawn'],
    ['without a channel is dropped', { hasChannel: false }, 'drop no_channel'],
    ['below the floor is dropped', { severity: 'info' }, 'drop below_floor'],
    ['at the floor goes out', { severity: 'info', preferences: floors('info') }, 'send'],
    [
      'of an observation goes out where asked for',
      { severity: 'observation', preferences: floors('observation') },
      'send',
    ],
    ['obeys the higher floor of its detector', { preferences: floors('info', 'critical') }, 'drop below_floor'],
    ['obeys the lower floor of its detector', { severity: 'info', preferences: floors('critical', 'info') }, 'send'],
    [
      'ignores the floor of another detector',
      { type: 'injection', preferences: floors('warning', 'critical') },
      'send',
    ],
    ['of an ignored issue is dropped', IGNORED, 'drop ignored'],
    ['of a resolved issue goes out', { issueStatus: 'resolved' }, 'send'],
    ['that repeats is folded', { fold: fold('warning') }, 'fold'],
    ['that is less severe than the alert sent is folded', { fold: fold('critical') }, 'fold'],
    ['that is more severe than the alert sent is sent', { severity: 'critical', fold: fold('warning') }, 'send'],
    ['after the fold goes out', { fold: fold('warning', NOON) }, 'send'],
    ['in quiet hours is held', QUIET, `hold ${MORNING}`],
    ['at the floor of quiet hours goes out', { ...QUIET, severity: 'critical' }, 'send'],
    ['of an ignored issue is not even held', { ...QUIET, ...IGNORED }, 'drop ignored'],
    [
      'that is worse than what was held is not folded into it',
      { ...QUIET, severity: 'critical', fold: fold('warning') },
      'send',
    ],
  ])('%s', (_name, entry, expected) => {
    const decision = decideAlert(situation(entry));
    const detail =
      decision.action === 'drop' ? ` ${decision.reason}` : decision.action === 'hold' ? ` ${decision.until}` : '';
    expect(decision.action + detail).toBe(expected);
  });
});
