import type { Kysely } from 'kysely';
import type { Detection } from '../../src/core/detection.ts';
import { insertDetection } from '../../src/store/detection.store.ts';
import type { Database } from '../../src/store/schema.ts';
import { resolveTenant } from '../../src/store/tenant.store.ts';

/** A detection as the engine creates it, with overrides. */
export function makeDetection(overrides: Partial<Detection> = {}): Detection {
  return {
    type: 'loop',
    subtype: 'repeated_call',
    failureModes: ['F3'],
    agent: 'planner',
    spanIds: ['s1'],
    step: 1,
    confidence: 0.6,
    isCalibrated: false,
    severity: 'warning',
    tier: 'experimental',
    method: 'rule',
    title: 'Repeated call',
    explanation: 'planner called search again and again.',
    businessImpact: 'Tokens.',
    suggestedAction: 'Stop it.',
    evidence: [{ kind: 'repeated_call', spanId: 's1', path: null, quote: 'search', value: null }],
    wastedTokens: 0,
    wastedCostUsd: 0,
    fixes: [],
    fingerprint: 'fp-loop',
    ...overrides,
  };
}

/** Inserts a detection directly into the store, without a trace. */
export async function storeDetection(
  db: Kysely<Database>,
  tenantId: string,
  detectionId: string,
  fields: Partial<Detection> & { createdAt?: number; withdrawnAt?: number } = {},
): Promise<void> {
  const { createdAt = Date.UTC(2026, 0, 15), withdrawnAt = null, ...rest } = fields;
  const detection = makeDetection(rest);
  await insertDetection(db, {
    tenant_no: (await resolveTenant(db, tenantId))!,
    detection_id: detectionId,
    trace_id: 'trace-1',
    conversation_id: null,
    detection_type: detection.type,
    subtype: detection.subtype,
    first_span_id: detectionId,
    agent_id: detection.agent,
    step: detection.step,
    confidence: detection.confidence,
    severity: detection.severity,
    tier: detection.tier,
    is_calibrated: 0,
    fingerprint: detection.fingerprint,
    issue_id: null,
    wasted_tokens: 0,
    wasted_cost_usd: 0,
    body: JSON.stringify(detection),
    validated: 0,
    is_valid: null,
    feedback: null,
    validated_at: null,
    feedback_id: null,
    applied_fixes: null,
    withdrawn_at: withdrawnAt,
    created_at: createdAt,
    updated_at: createdAt,
  });
}
