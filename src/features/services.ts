import type { AgentService } from './agents/agent.service.ts';
import type { AlertService } from './alerts/alert.service.ts';
import type { AnalysisService } from './analysis/analysis.service.ts';
import type { AnalyticsService } from './analytics/analytics.service.ts';
import type { BillingService } from './billing/billing.service.ts';
import type { CalibrationService } from './calibration/calibration.service.ts';
import type { CodingAgentService } from './coding-agents/coding-agent.service.ts';
import type { ConversationService } from './conversations/conversation.service.ts';
import type { DeletionService } from './deletion/deletion.service.ts';
import type { DetectionService } from './detections/detection.service.ts';
import type { FixService } from './detections/fix.service.ts';
import type { ExportService } from './export/export.service.ts';
import type { FeedbackService } from './feedback/feedback.service.ts';
<<<<<<< HEAD
import type { HealingService } from './healing/healing.service.ts';
=======
import type { ThreadHistoryService } from './graphruntime/thread-history.service.ts';
>>>>>>> de9f653 (LangGraph runs come by webhook and are completed with their nodes and states from the thread's history)
import type { HealthService } from './health/health.service.ts';
import type { ApiKeyService } from './identity/api-key.service.ts';
import type { IdempotencyService } from './identity/idempotency.service.ts';
import type { TenantService } from './identity/tenant.service.ts';
import type { TokenService } from './identity/token.service.ts';
import type { ImportService } from './imports/import.service.ts';
import type { IngestService } from './ingest/ingest.service.ts';
import type { EventHub } from './integrations/event-hub.ts';
import type { RegistrationService } from './integrations/registration.service.ts';
import type { WebhookService } from './integrations/webhook.service.ts';
import type { IssueService } from './issues/issue.service.ts';
import type { JudgeService } from './judge/judge.service.ts';
import type { MetricsService } from './metrics/metrics.service.ts';
import type { VendorService } from './metrics/vendor.service.ts';
import type { SecurityService } from './security/security.service.ts';
import type { SettingsService } from './settings/settings.service.ts';
import type { ThresholdService } from './settings/threshold.service.ts';
import type { TraceService } from './traces/trace.service.ts';
import type { WorkflowGroupService } from './workflow-groups/workflow-group.service.ts';

/** What operations run on; built once in `app/open-app.ts`. */
export interface Services {
  tenants: TenantService;
  apiKeys: ApiKeyService;
  tokens: TokenService;
  idempotency: IdempotencyService;
  ingest: IngestService;
  codingAgents: CodingAgentService;
  traces: TraceService;
  conversations: ConversationService;
  agents: AgentService;
  analytics: AnalyticsService;
  workflowGroups: WorkflowGroupService;
  analysis: AnalysisService;
  detections: DetectionService;
  fixes: FixService;
  healing: HealingService;
  feedback: FeedbackService;
  issues: IssueService;
  alerts: AlertService;
  health: HealthService;
  security: SecurityService;
  settings: SettingsService;
  thresholds: ThresholdService;
  calibration: CalibrationService;
  judge: JudgeService;
  metrics: MetricsService;
  vendor: VendorService;
  billing: BillingService;
  imports: ImportService;
  exports: ExportService;
  deletion: DeletionService;
  registrations: RegistrationService;
  webhooks: WebhookService;
  streams: EventHub;
  threadHistories: ThreadHistoryService;
}
