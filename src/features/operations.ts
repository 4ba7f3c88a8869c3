import type { AnyOperation } from './_kit/operation.ts';
import { agentOperations } from './agents/agent.operations.ts';
import { alertOperations } from './alerts/alert.operations.ts';
import { analyticsOperations } from './analytics/analytics.operations.ts';
import { auditOperations } from './audit/audit.operations.ts';
import { benchmarkOperations } from './benchmarks/benchmark.operations.ts';
import { billingOperations } from './billing/billing.operations.ts';
import { calibrationOperations } from './calibration/calibration.operations.ts';
import { codingSessionOperations } from './coding-sessions/coding-session.operations.ts';
import { conversationOperations } from './conversations/conversation.operations.ts';
import { deletionOperations } from './deletion/deletion.operations.ts';
import { demoOperations } from './demo/demo.operations.ts';
import { detectionOperations } from './detections/detection.operations.ts';
import { feedbackOperations } from './feedback/feedback.operations.ts';
import { healingOperations } from './healing/healing.operations.ts';
import { apiKeyOperations } from './identity/api-key.operations.ts';
import { signInLinkOperations } from './identity/sign-in-link.operations.ts';
import { tenantOperations } from './identity/tenant.operations.ts';
import { tokenOperations } from './identity/token.operations.ts';
import { importOperations } from './imports/import.operations.ts';
import { listRefusalsOperation } from './ingest/refusal.operations.ts';
import { registrationOperationList } from './integrations/integration.operations.ts';
import { kindOperations } from './integrations/registration-operations.ts';
import { issueOperations } from './issues/issue.operations.ts';
import { judgeOperations } from './judge/judge.operations.ts';
import { vendorOperations } from './metrics/vendor.operations.ts';
import { overviewOperations } from './overview/overview.operations.ts';
import { integrationSources, platforms } from './platforms.ts';
import { securityOperations } from './security/security.operations.ts';
import { settingsOperations } from './settings/settings.operations.ts';
import { thresholdOperations } from './settings/threshold.operations.ts';
import { traceOperations } from './traces/trace.operations.ts';
import { workflowGroupOperations } from './workflow-groups/workflow-group.operations.ts';

/** All API operations, from which routes, OpenAPI, the client, commands and guard tests are derived. */
export const operations: readonly AnyOperation[] = [
  ...tenantOperations,
  ...tokenOperations,
  ...signInLinkOperations,
  ...apiKeyOperations,
  ...traceOperations,
  listRefusalsOperation,
  ...codingSessionOperations,
  ...conversationOperations,
  ...agentOperations,
  ...overviewOperations,
  ...demoOperations,
  ...analyticsOperations,
  ...workflowGroupOperations,
  ...detectionOperations,
  ...healingOperations,
  ...auditOperations,
  ...feedbackOperations,
  ...issueOperations,
  ...alertOperations,
  ...securityOperations,
  ...settingsOperations,
  ...thresholdOperations,
  ...calibrationOperations,
  ...benchmarkOperations,
  ...judgeOperations,
  ...vendorOperations,
  ...billingOperations,
  ...importOperations,
  ...deletionOperations,
  ...registrationOperationList(integrationSources),
  ...kindOperations(integrationSources),
  ...platforms.flatMap((platform) => platform.operations),
];
