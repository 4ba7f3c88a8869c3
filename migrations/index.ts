import type { Kysely } from 'kysely';
import * as foundation from './0001-foundation.ts';
import * as calibration from './0002-calibration.ts';
import * as judge from './0003-judge.ts';
import * as alerts from './0004-alerts.ts';
import * as conversations from './0005-conversations.ts';
import * as feedback from './0006-feedback.ts';
import * as analytics from './0008-analytics.ts';
import * as imports from './0010-imports.ts';
import * as figuresBilling from './0011-figures-billing.ts';
import * as healing from './0012-healing.ts';
import * as integrations from './0013-integrations.ts';
import * as outboxOfTraces from './0015-outbox-of-traces.ts';
import * as fairWork from './0017-fair-work.ts';
import * as sealedSecrets from './0019-sealed-secrets.ts';
import * as codingSessions from './0020-coding-sessions.ts';
import * as bookkeepingTraces from './0021-bookkeeping-traces.ts';
import * as runningTraces from './0022-running-traces.ts';
import * as failureRanks from './0023-failure-ranks.ts';
import * as webSessions from './0024-web-sessions.ts';
import * as detectionsByAgent from './0026-detections-by-agent.ts';
import * as issueTriage from './0027-issue-triage.ts';
import * as fixOutcome from './0028-fix-outcome.ts';
import * as issueTriagedAt from './0029-issue-triaged-at.ts';
import type { ColumnTypes } from './column-types.ts';

export interface Migration {
  /** Sortable; never changed after release. */
  name: string;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
  down(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  { name: '0001-foundation', ...foundation },
  { name: '0002-calibration', ...calibration },
  { name: '0003-judge', ...judge },
  { name: '0004-alerts', ...alerts },
  { name: '0005-conversations', ...conversations },
  { name: '0006-feedback', ...feedback },
  { name: '0008-analytics', ...analytics },
  { name: '0010-imports', ...imports },
  { name: '0011-figures-billing', ...figuresBilling },
  { name: '0012-healing', ...healing },
  { name: '0013-integrations', ...integrations },
  { name: '0015-outbox-of-traces', ...outboxOfTraces },
  { name: '0017-fair-work', ...fairWork },
  { name: '0019-sealed-secrets', ...sealedSecrets },
  { name: '0020-coding-sessions', ...codingSessions },
  { name: '0021-bookkeeping-traces', ...bookkeepingTraces },
  { name: '0022-running-traces', ...runningTraces },
  { name: '0023-failure-ranks', ...failureRanks },
  { name: '0024-web-sessions', ...webSessions },
  { name: '0026-detections-by-agent', ...detectionsByAgent },
  { name: '0027-issue-triage', ...issueTriage },
  { name: '0028-fix-outcome', ...fixOutcome },
  { name: '0029-issue-triaged-at', ...issueTriagedAt },
];
