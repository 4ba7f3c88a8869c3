import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Fix } from '../../core/detection.ts';

/** A suggested fix in API form. */
export const fixRecord = z
  .object({
    fix_id: z
      .string()
      .describe('The part after the last `_` is the same for the same fix of another detection of the issue'),
    detection_id: z.string(),
    fix_type: z.string(),
    title: z.string(),
    description: z.string(),
    rationale: z.string(),
    confidence: z.number().min(0).max(1),
    risk: z.enum(['low', 'medium', 'high']),
    changes: z.array(
      z.object({
        target: z.string(),
        format: z.enum(['json-patch', 'unified-diff', 'text']),
        before: z.string().nullable(),
        after: z.string(),
      }),
    ),
    breaking: z.boolean(),
    requires_testing: z.boolean(),
    applied_at: z.string().nullable(),
    applied_by: z.string().nullable().describe('Id of the API key, or `operator`'),
  })
  .meta({ id: 'Fix' });
export type FixRecord = z.input<typeof fixRecord>;

/** By fix id, each as it was when it was applied. */
export type AppliedFixes = Readonly<Record<string, FixRecord>>;

export function readAppliedFixes(column: string | null): AppliedFixes {
  return column === null ? {} : (JSON.parse(column) as AppliedFixes);
}

/** The current suggestions, applied ones marked; then applied ones that are no longer suggested. */
export function toFixRecords(detectionId: string, fixes: readonly Fix[], applied: AppliedFixes): FixRecord[] {
  const suggested = fixes.map((fix, place) => toFixRecord(fix, fixIdOf(detectionId, fixes, place), detectionId));
  const noLongerSuggested = Object.values(applied).filter(({ fix_id }) =>
    suggested.every((fix) => fix.fix_id !== fix_id),
  );
  return [...suggested.map((fix) => marked(fix, applied[fix.fix_id])), ...noLongerSuggested];
}

function marked(fix: FixRecord, applied: FixRecord | undefined): FixRecord {
  return applied === undefined ? fix : { ...fix, applied_at: applied.applied_at, applied_by: applied.applied_by };
}

/**
 * Derived from the fix type and its target, so that a fix keeps its id when the trace is analyzed again
 * and its figures or the order of the fixes change. Fixes with the same type and target are distinguished by their order.
 */
function fixIdOf(detectionId: string, fixes: readonly Fix[], place: number): string {
  const key = keyOf(fixes[place]!);
  const nth = fixes.slice(0, place).filter((fix) => keyOf(fix) === key).length;
  const hash = createHash('sha256').update(`${key} ${nth}`).digest('hex').slice(0, 8);
  return `${detectionId.replace(/^det_/, 'fix_')}_${hash}`;
}

function keyOf({ fixType, changes }: Fix): string {
  return JSON.stringify([fixType, ...changes.map(({ target }) => target)]);
}

function toFixRecord(fix: Fix, fixId: string, detectionId: string): FixRecord {
  return {
    fix_id: fixId,
    detection_id: detectionId,
    fix_type: fix.fixType,
    title: fix.title,
    description: fix.description,
    rationale: fix.rationale,
    confidence: fix.confidence,
    risk: fix.risk,
    changes: fix.changes,
    breaking: fix.isBreaking,
    requires_testing: fix.requiresTesting,
    applied_at: null,
    applied_by: null,
  };
}
