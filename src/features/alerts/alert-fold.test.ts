import { describe, expect, it } from 'vitest';
import type { AlertItem } from '../../core/alert.ts';
import { foldAfter, foldFacts } from './alert-fold.ts';
import type { AlertDecision } from './decide-alert.ts';

const item = (change: Partial<AlertItem> = {}): AlertItem => ({
  detectionId: 'det_1',
  traceId: 't1',
  issueId: 'iss_1',
  type: 'loop',
  subtype: 'exact',
  severity: 'warning',
  confidence: 0.6,
  isCalibrated: false,
  agent: 'planner',
  title: 'Repeated call',
  explanation: '',
  suggestedAction: '',
  detectedAt: 0,
  url: null,
  ...change,
});
const WORSE = item({ severity: 'critical', title: 'Worse' });
const opened = foldAfter(7, item(), null, { action: 'send' }, 1_000);

describe('a fold', () => {
  it('is opened by the first alert of an issue, for ten minutes', () => {
    expect(opened).toEqual({
      tenant_no: 7,
      fold_key: 'iss_1',
      severity: 'warning',
      repeats: 0,
      item: JSON.stringify(item()),
      opened_at: 1_000,
      closes_at: 601_000,
    });
  });

  it.each<[string, AlertItem, AlertDecision, object]>([
    [
      'a repeat',
      item({ title: 'Newer' }),
      { action: 'fold' },
      { repeats: 1, item: JSON.stringify(item({ title: 'Newer' })) },
    ],
    ['a more severe alert that is sent', WORSE, { action: 'send' }, { severity: 'critical' }],
    ['a more severe alert that is held', WORSE, { action: 'hold', until: 9 }, { severity: 'critical' }],
  ])('changes with %s, but not the end of its window', (_name, next, decision, changed) => {
    expect(foldAfter(7, next, opened, decision, 400_000)).toEqual({ ...opened, ...changed });
  });

  it('gives a decision its severity and its end', () => {
    expect([foldFacts(opened), foldFacts(null)]).toEqual([{ severity: 'warning', closesAt: 601_000 }, null]);
  });
});
