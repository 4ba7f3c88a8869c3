/** A file that decides about money, access, alerts, leases or deletion, and the tests that must fail for its mutants. */
export interface MutationTarget {
  file: string;
  tests: readonly string[];
}

const testNextTo = (file: string): MutationTarget => ({ file, tests: [file.replace(/\.ts$/, '.test.ts')] });

/** Explicit: a file is added with rows that kill at least 85 % of its mutants. */
export const MUTATION_TARGETS: readonly MutationTarget[] = [
  'src/core/elapsed.ts',
  'src/features/alerts/alert-fold.ts',
  'src/features/alerts/decide-alert.ts',
  'src/features/alerts/quiet-hours.ts',
  'src/features/alerts/retry-delay.ts',
  'src/features/billing/subscription-state.ts',
  'src/features/calibration/adapt-firing.ts',
  'src/features/calibration/label-verdict.ts',
  'src/features/deletion/retention-due.ts',
  'src/features/healing/healing-policy.ts',
  'src/features/healing/healing-state.ts',
  'src/features/healing/lease.ts',
  'src/features/identity/access-token.ts',
  'src/features/identity/api-key.ts',
  'src/features/integrations/sync-failure.ts',
  'src/features/integrations/webhook-signature.ts',
  'src/features/judge/judge-budget.ts',
  'src/features/judge/judge-pause.ts',
  'src/features/leases/owner-liveness.ts',
  'src/http/authorize.ts',
  'src/http/token-bucket.ts',
].map(testNextTo);
