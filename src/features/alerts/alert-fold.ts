import type { AlertItem } from '../../core/alert.ts';
import type { Severity } from '../../core/severity.ts';
import type { AlertFoldTable } from '../../store/schema.ts';
import { foldKeyOf } from './alert-content.ts';
import { type AlertDecision, FOLD_MS } from './decide-alert.ts';

/** The fold of an issue after a decision about one of its detections. The first alert sets the end of the window; no later one moves it. */
export function foldAfter(
  tenantNo: number,
  item: AlertItem,
  fold: AlertFoldTable | null,
  decision: AlertDecision,
  now: number,
): AlertFoldTable {
  if (fold !== null) {
    const latest = { ...fold, item: JSON.stringify(item) };
    return decision.action === 'fold' ? { ...latest, repeats: fold.repeats + 1 } : { ...fold, severity: item.severity };
  }
  return {
    tenant_no: tenantNo,
    fold_key: foldKeyOf(item),
    severity: item.severity,
    repeats: 0,
    item: JSON.stringify(item),
    opened_at: now,
    closes_at: now + FOLD_MS,
  };
}

/** What a decision reads of a fold. */
export function foldFacts(fold: AlertFoldTable | null): { severity: Severity; closesAt: number } | null {
  return fold && { severity: fold.severity as Severity, closesAt: fold.closes_at };
}
