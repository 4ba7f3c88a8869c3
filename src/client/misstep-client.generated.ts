// Made from the interface description; changes would be lost. It needs nothing but `fetch`.

export interface ClientOptions {
  /** Address of the server, with or without `/api/v1`: `http://127.0.0.1:4319`. */
  baseUrl: string;
  /** Sent as `X-SVC-API-Key`. */
  apiKey?: string;
  /** An access token, an API key or the operator's credential; sent as `Authorization: Bearer`. */
  bearer?: string;
  /** Instead of the global one, as for a proxy or a test. */
  fetch?: typeof globalThis.fetch;
}

/** How one call is made. */
export interface CallOptions {
  signal?: AbortSignal;
  /** On a POST: within 24 hours the same key and body give the first answer again. */
  idempotencyKey?: string;
  /** Media type of a body that is sent as it is. */
  contentType?: string;
  headers?: Record<string, string>;
}

/** A body that is sent as it is. */
export type RawBody = string | Uint8Array | Blob | FormData;

/** The server refused or failed. Where nobody answered at all, `fetch` throws what it throws. */
export class MisstepError extends Error {
  override readonly name = 'MisstepError';
  readonly status: number;
  /** Null where something between client and server answered. */
  readonly problem: Problem | null;
  /** Seconds after which trying again may help, where the server said so. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, problem: Problem | null, retryAfterSeconds: number | null) {
    super(problem ? `${problem.title}: ${problem.detail}` : `the server answered ${status}`);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get code(): Problem['code'] | null {
    return this.problem?.code ?? null;
  }
}

/** Every item of a paged list, page after page: `for await (const trace of eachItem(client.traces.list, { tenant_id }))`. */
export async function* eachItem<Input extends { cursor?: string }, Item>(
  list: (input: Input, how?: CallOptions) => Promise<{ items: Item[]; next_cursor: string | null }>,
  input: Input,
  how?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  let asked = input;
  while (true) {
    const { items, next_cursor } = await list(asked, how);
    yield* items;
    if (next_cursor === null) return;
    asked = { ...asked, cursor: next_cursor };
  }
}

interface Route {
  method: string;
  path: string;
  query?: string[];
  /** Media type of a body that is no JSON. */
  rawType?: string;
}

type Call = (route: Route, input?: object, how?: CallOptions) => Promise<unknown>;

function createCall({ baseUrl, apiKey, bearer, fetch = globalThis.fetch }: ClientOptions): Call {
  const base = baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  const credentials = {
    ...(apiKey === undefined ? {} : { 'X-SVC-API-Key': apiKey }),
    ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
  };
  return async (route, input = {}, how = {}) => {
    const given = input as Record<string, unknown>;
    const [contentType, body] = bodyOf(route, given.body, how);
    const headers: Record<string, string> = {
      Accept: 'application/json, */*;q=0.5',
      ...credentials,
      ...(contentType === null ? {} : { 'Content-Type': contentType }),
      ...(how.idempotencyKey === undefined ? {} : { 'Idempotency-Key': how.idempotencyKey }),
      ...how.headers,
    };
    // A redirect would take the credential to another host.
    const init = {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: how.signal ?? null,
      redirect: 'error',
    };
    const response = await fetch(base + pathOf(route, given) + queryOf(route, given), init as RequestInit);
    if (!response.ok) throw await errorOf(response);
    return answerOf(response);
  };
}

function pathOf({ path }: Route, input: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(input[name] ?? '');
    // An address would lose such a part, and lead elsewhere.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

function queryOf({ query = [] }: Route, input: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const name of query) if (input[name] !== undefined) search.append(name, String(input[name]));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function bodyOf({ rawType }: Route, body: unknown, { contentType }: CallOptions): [string | null, unknown] {
  if (body === undefined) return [null, undefined];
  if (rawType === undefined) return [contentType ?? 'application/json', JSON.stringify(body)];
  // With its own boundary, which only fetch knows.
  if (body instanceof FormData) return [null, body];
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob;
  return isRaw ? [contentType ?? rawType, body] : [contentType ?? 'application/json', JSON.stringify(body)];
}

async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = mediaTypeOf(response);
  if (type === 'application/json') return response.json();
  return type.startsWith('text/') && type !== 'text/event-stream' ? response.text() : response;
}

async function errorOf(response: Response): Promise<MisstepError> {
  const isProblem = mediaTypeOf(response) === 'application/problem+json';
  const problem = isProblem ? ((await response.json()) as Problem) : null;
  if (!isProblem) await response.body?.cancel();
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return new MisstepError(response.status, problem, Number.isNaN(seconds) ? null : seconds);
}

function mediaTypeOf(response: Response): string {
  return (response.headers.get('Content-Type') ?? '').split(';')[0]!.trim();
}

/** Every operation of the server, by its noun and verb. Members of path and query stand beside `body`. */
export function createClient(options: ClientOptions) {
  const call = createCall(options);
  return {
    agents: {
      /** Agents seen in traces, with their figures. GET /api/v1/tenants/{tenant_id}/agents (scope read) */
      list: (input: AgentsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/agents"}, input, how) as Promise<AgentsListOutput>,
      /** One agent with its figures, its newest runs and the detections that it caused. GET /api/v1/tenants/{tenant_id}/agents/{agent_id} (scope read) */
      get: (input: AgentsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/agents/{agent_id}","query":["days"]}, input, how) as Promise<AgentsGetOutput>,
    },
    agentsession: {
      /** Registers an agent of OpenClaw; the address and secret of its webhook are shown once. POST /api/v1/agentsession/agents (scope write) */
      registerAgent: (input: AgentsessionRegisterAgentInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/agentsession/agents"}, input, how) as Promise<AgentsessionRegisterAgentOutput>,
      /** Registered agents of OpenClaw, newest first. GET /api/v1/agentsession/agents (scope read) */
      listAgents: (input?: AgentsessionListAgentsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/agentsession/agents","query":["page","page_size","cursor"]}, input, how) as Promise<AgentsessionListAgentsOutput>,
      /** Registers an instance of OpenClaw; the address and secret of its webhook are shown once. POST /api/v1/agentsession/instances (scope write) */
      registerInstance: (input: AgentsessionRegisterInstanceInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/agentsession/instances"}, input, how) as Promise<AgentsessionRegisterInstanceOutput>,
      /** Registered instances of OpenClaw, newest first. GET /api/v1/agentsession/instances (scope read) */
      listInstances: (input?: AgentsessionListInstancesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/agentsession/instances","query":["page","page_size","cursor"]}, input, how) as Promise<AgentsessionListInstancesOutput>,
      /** Server-sent events about runs of OpenClaw: `connected`, `execution.started`, `execution.updated`, `execution.finished`, `detection.created`, `alert.sent`, `gap`, `closing`. GET /api/v1/agentsession/stream (scope read) */
      stream: (input?: AgentsessionStreamInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/agentsession/stream"}, input, how) as Promise<AgentsessionStreamOutput>,
      /** Takes what OpenClaw tells of its runs, signed where a registration says so. POST /api/v1/agentsession/webhook (scope ingest) */
      webhook: (input: AgentsessionWebhookInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/agentsession/webhook"}, input, how) as Promise<AgentsessionWebhookOutput>,
      /** The same for senders that can neither sign nor set a header: the address of one registration of OpenClaw. POST /api/v1/agentsession/webhook/{token} */
      webhookToken: (input: AgentsessionWebhookTokenInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/agentsession/webhook/{token}"}, input, how) as Promise<AgentsessionWebhookTokenOutput>,
    },
    alerts: {
      /** Alerts, newest first, and how each channel took them. GET /api/v1/tenants/{tenant_id}/alerts (scope read) */
      list: (input: AlertsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/alerts","query":["page","page_size","cursor","state","issue_id"]}, input, how) as Promise<AlertsListOutput>,
      /** Who is alerted of what, when and how; secrets are masked. GET /api/v1/tenants/{tenant_id}/preferences/notifications (scope read) */
      preferences: (input: AlertsPreferencesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/preferences/notifications"}, input, how) as Promise<AlertsPreferencesOutput>,
      /** Sets the members that are named; others stay, null resets one; a mask keeps what it masks. PUT /api/v1/tenants/{tenant_id}/preferences/notifications (scope write) */
      changePreferences: (input: AlertsChangePreferencesInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/preferences/notifications"}, input, how) as Promise<AlertsChangePreferencesOutput>,
      /** Sends a test on every channel that is on, and says how it went. POST /api/v1/tenants/{tenant_id}/preferences/notifications/test (scope write) */
      test: (input: AlertsTestInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/preferences/notifications/test"}, input, how) as Promise<AlertsTestOutput>,
    },
    analytics: {
      /** Cost and tokens by day, framework and model, and the traces that cost most. GET /api/v1/tenants/{tenant_id}/analytics/cost (scope read) */
      cost: (input: AnalyticsCostInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/analytics/cost","query":["days"]}, input, how) as Promise<AnalyticsCostOutput>,
      /** Loops by day, by way of looping and by agent. GET /api/v1/tenants/{tenant_id}/analytics/loops (scope read) */
      loops: (input: AnalyticsLoopsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/analytics/loops","query":["days"]}, input, how) as Promise<AnalyticsLoopsOutput>,
      /** Scores and grades of traces, their trend, and the most frequent detections. GET /api/v1/tenants/{tenant_id}/analytics/quality (scope read) */
      quality: (input: AnalyticsQualityInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/analytics/quality","query":["days"]}, input, how) as Promise<AnalyticsQualityOutput>,
      /** Adds traces analysed before figures were kept, and sums the figures anew; takes a while. POST /api/v1/tenants/{tenant_id}/analytics/rebuild (scope admin) */
      rebuild: (input: AnalyticsRebuildInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/analytics/rebuild"}, input, how) as Promise<AnalyticsRebuildOutput>,
      /** One figure over time, as a whole or by group. GET /api/v1/tenants/{tenant_id}/analytics/series (scope read) */
      series: (input: AnalyticsSeriesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/analytics/series","query":["days","metric","by","step","top"]}, input, how) as Promise<AnalyticsSeriesOutput>,
    },
    apiKeys: {
      /** List API keys, oldest first, without their secrets. GET /api/v1/tenants/{tenant_id}/api-keys (scope admin) */
      list: (input: ApiKeysListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/api-keys","query":["page","page_size","cursor"]}, input, how) as Promise<ApiKeysListOutput>,
      /** Make an API key; it is shown this once. POST /api/v1/tenants/{tenant_id}/api-keys (scope admin) */
      create: (input: ApiKeysCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/api-keys"}, input, how) as Promise<ApiKeysCreateOutput>,
      /** Revoke an API key, and the access tokens made with it. DELETE /api/v1/tenants/{tenant_id}/api-keys/{key_id} (scope admin) */
      revoke: (input: ApiKeysRevokeInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/api-keys/{key_id}"}, input, how) as Promise<ApiKeysRevokeOutput>,
      /** Give an API key a new secret, shown this once; the old one ends at once. POST /api/v1/tenants/{tenant_id}/api-keys/{key_id}/rotate (scope admin) */
      rotate: (input: ApiKeysRotateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/api-keys/{key_id}/rotate"}, input, how) as Promise<ApiKeysRotateOutput>,
    },
    audit: {
      /** Who changed what of the instance: tenants that came and went, newest first. GET /api/v1/audit-log */
      listInstance: (input?: AuditListInstanceInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/audit-log","query":["page","page_size","cursor","action","actor","object_id","date_from","date_to"]}, input, how) as Promise<AuditListInstanceOutput>,
      /** Who changed what, newest first. GET /api/v1/tenants/{tenant_id}/audit-log (scope admin) */
      list: (input: AuditListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/audit-log","query":["page","page_size","cursor","action","actor","object_id","date_from","date_to"]}, input, how) as Promise<AuditListOutput>,
    },
    benchmarks: {
      /** How many faults of each of the 16 failure modes are found; null where no labelled data exist. GET /api/v1/benchmarks */
      list: (input?: BenchmarksListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/benchmarks"}, input, how) as Promise<BenchmarksListOutput>,
    },
    billing: {
      /** Creates a checkout session at the payment provider; the plan counts once its payment is told. POST /api/v1/billing/checkout (scope admin) */
      checkout: (input: BillingCheckoutInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/billing/checkout"}, input, how) as Promise<BillingCheckoutOutput>,
      /** Plans and their quotas; an instance without billing limits nothing. GET /api/v1/billing/plans */
      plans: (input?: BillingPlansInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/billing/plans"}, input, how) as Promise<BillingPlansOutput>,
      /** Where invoices stand and the subscription is changed or ended. GET /api/v1/billing/portal (scope admin) */
      portal: (input?: BillingPortalInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/billing/portal","query":["return_url"]}, input, how) as Promise<BillingPortalOutput>,
      /** Plan, quotas and what of them is used. GET /api/v1/billing/status (scope read) */
      status: (input?: BillingStatusInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/billing/status"}, input, how) as Promise<BillingStatusOutput>,
      /** Takes a signed event of the payment provider; the same one again changes nothing. POST /api/v1/billing/webhooks/payment */
      paymentWebhook: (input: BillingPaymentWebhookInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/billing/webhooks/payment"}, input, how) as Promise<BillingPaymentWebhookOutput>,
    },
    calibration: {
      /** What the tenant's own traffic has moved, from what, since when, with the defaults beside it. GET /api/v1/tenants/{tenant_id}/settings/calibration (scope read) */
      get: (input: CalibrationGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/calibration"}, input, how) as Promise<CalibrationGetOutput>,
      /** Switches self-calibration, and sets how many traces may carry a warning; what is left out stays. PUT /api/v1/tenants/{tenant_id}/settings/calibration (scope write) */
      change: (input: CalibrationChangeInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/calibration"}, input, how) as Promise<CalibrationChangeOutput>,
      /** Forgets what was learned of the traffic and gives the settings their defaults back. DELETE /api/v1/tenants/{tenant_id}/settings/calibration (scope write) */
      reset: (input: CalibrationResetInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/settings/calibration"}, input, how) as Promise<CalibrationResetOutput>,
    },
    codingSessions: {
      /** Sessions of coding agents, newest first. GET /api/v1/tenants/{tenant_id}/coding-sessions (scope read) */
      list: (input: CodingSessionsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/coding-sessions","query":["page","page_size","cursor","agent","project","ended_by","since","until"]}, input, how) as Promise<CodingSessionsListOutput>,
      /** Repeated corrections, expensive detours, failing tests and lost instructions of the last days. GET /api/v1/tenants/{tenant_id}/coding-sessions/summary (scope read) */
      summary: (input: CodingSessionsSummaryInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/coding-sessions/summary","query":["days"]}, input, how) as Promise<CodingSessionsSummaryOutput>,
      /** The story of one session: what was asked and done, where it went wrong, what it cost, how it ended. GET /api/v1/tenants/{tenant_id}/coding-sessions/{session_id} (scope read) */
      get: (input: CodingSessionsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/coding-sessions/{session_id}"}, input, how) as Promise<CodingSessionsGetOutput>,
    },
    conversations: {
      /** Conversations, newest first. GET /api/v1/tenants/{tenant_id}/conversations (scope read) */
      list: (input: ConversationsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/conversations","query":["page","page_size","cursor","format","framework","date_from","date_to"]}, input, how) as Promise<ConversationsListOutput>,
      /** Stores a conversation; what cannot be read is told item by item, the rest is kept. POST /api/v1/tenants/{tenant_id}/conversations/ingest (scope ingest) */
      ingest: (input: ConversationsIngestInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/conversations/ingest"}, input, how) as Promise<ConversationsIngestOutput>,
      /** One conversation. GET /api/v1/tenants/{tenant_id}/conversations/{conversation_id} (scope read) */
      get: (input: ConversationsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/conversations/{conversation_id}"}, input, how) as Promise<ConversationsGetOutput>,
      /** Runs every detector over the turns now and returns what stands; nobody is alerted. POST /api/v1/tenants/{tenant_id}/conversations/{conversation_id}/analyze (scope read) */
      analyze: (input: ConversationsAnalyzeInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/conversations/{conversation_id}/analyze"}, input, how) as Promise<ConversationsAnalyzeOutput>,
      /** The turns of a conversation in order. GET /api/v1/tenants/{tenant_id}/conversations/{conversation_id}/turns (scope read) */
      turns: (input: ConversationsTurnsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/conversations/{conversation_id}/turns"}, input, how) as Promise<ConversationsTurnsOutput>,
    },
    detections: {
      /** Detections, newest first. GET /api/v1/tenants/{tenant_id}/detections (scope read) */
      list: (input: DetectionsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/detections","query":["page","page_size","cursor","detection_type","validated","confidence_min","confidence_max","trace_id","issue_id","agent_id","min_severity","date_from","date_to"]}, input, how) as Promise<DetectionsListOutput>,
      /** One detection with its explanation, evidence and fixes. GET /api/v1/tenants/{tenant_id}/detections/{detection_id} (scope read) */
      get: (input: DetectionsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/detections/{detection_id}"}, input, how) as Promise<DetectionsGetOutput>,
      /** What would fix a detection, and what was applied. GET /api/v1/tenants/{tenant_id}/detections/{detection_id}/fixes (scope read) */
      fixes: (input: DetectionsFixesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/detections/{detection_id}/fixes"}, input, how) as Promise<DetectionsFixesOutput>,
      /** Records that a fix was applied; changes nothing anywhere else. POST /api/v1/tenants/{tenant_id}/detections/{detection_id}/fixes/{fix_id}/apply (scope write) */
      applyFix: (input: DetectionsApplyFixInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/detections/{detection_id}/fixes/{fix_id}/apply"}, input, how) as Promise<DetectionsApplyFixOutput>,
      /** Says whether a detection is real; the same as feedback. POST /api/v1/tenants/{tenant_id}/detections/{detection_id}/validate (scope write) */
      validate: (input: DetectionsValidateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/detections/{detection_id}/validate"}, input, how) as Promise<DetectionsValidateOutput>,
    },
    diagnostics: {
      /** What each detector is worth, as measured: F1, precision, recall, flag rates and the tier that follows. GET /api/v1/diagnostics/detector-status (scope read) */
      detectorStatus: (input?: DiagnosticsDetectorStatusInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/diagnostics/detector-status"}, input, how) as Promise<DiagnosticsDetectorStatusOutput>,
    },
    docs: {
      /** This description as a page. GET /docs */
      get: (input?: DocsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/docs"}, input, how) as Promise<DocsOutput>,
    },
    export: {
      /** All traces with detections and what was said of them, and settings, as JSON lines that an import takes back. GET /api/v1/tenants/{tenant_id}/export (scope read) */
      get: (input: ExportGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/export"}, input, how) as Promise<ExportGetOutput>,
    },
    feedback: {
      /** Says whether a detection was right; the newest word on it counts. POST /api/v1/tenants/{tenant_id}/feedback (scope write) */
      submit: (input: FeedbackSubmitInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/feedback"}, input, how) as Promise<FeedbackSubmitOutput>,
      /** Feedback and validations, newest first. GET /api/v1/tenants/{tenant_id}/feedback (scope read) */
      list: (input: FeedbackListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/feedback","query":["page","page_size","cursor","detection_id","detection_type","feedback_type"]}, input, how) as Promise<FeedbackListOutput>,
      /** Firing thresholds that would have served better on your feedback; changes nothing. GET /api/v1/tenants/{tenant_id}/feedback/recommendations (scope read) */
      recommendations: (input: FeedbackRecommendationsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/feedback/recommendations","query":["goal","target_precision","detection_type"]}, input, how) as Promise<FeedbackRecommendationsOutput>,
      /** Precision, recall and F1 by detection type, from the newest feedback on each detection. GET /api/v1/tenants/{tenant_id}/feedback/stats (scope read) */
      stats: (input: FeedbackStatsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/feedback/stats"}, input, how) as Promise<FeedbackStatsOutput>,
      /** Deletes feedback or a validation; the newest that is left on the detection counts again. DELETE /api/v1/tenants/{tenant_id}/feedback/{feedback_id} (scope write) */
      withdraw: (input: FeedbackWithdrawInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/feedback/{feedback_id}"}, input, how) as Promise<FeedbackWithdrawOutput>,
    },
    flowplatform: {
      /** Lists the workflows of n8n with what is wrong with how they are drawn, before anything runs. POST /api/v1/flowplatform/discover (scope write) */
      discover: (input?: FlowplatformDiscoverInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/flowplatform/discover"}, input, how) as Promise<FlowplatformDiscoverOutput>,
      /** Registers an instance of n8n; the address and secret of its webhook are shown once. POST /api/v1/flowplatform/instances (scope write) */
      registerInstance: (input: FlowplatformRegisterInstanceInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/flowplatform/instances"}, input, how) as Promise<FlowplatformRegisterInstanceOutput>,
      /** Registered instances of n8n, newest first. GET /api/v1/flowplatform/instances (scope read) */
      listInstances: (input?: FlowplatformListInstancesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/flowplatform/instances","query":["page","page_size","cursor"]}, input, how) as Promise<FlowplatformListInstancesOutput>,
      /** Server-sent events about runs of n8n: `connected`, `execution.started`, `execution.updated`, `execution.finished`, `detection.created`, `alert.sent`, `gap`, `closing`. GET /api/v1/flowplatform/stream (scope read) */
      stream: (input?: FlowplatformStreamInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/flowplatform/stream"}, input, how) as Promise<FlowplatformStreamOutput>,
      /** Fetches the executions of n8n that were not fetched before, in the background; as history they alert nobody. POST /api/v1/flowplatform/sync (scope write) */
      sync: (input?: FlowplatformSyncInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/flowplatform/sync"}, input, how) as Promise<FlowplatformSyncOutput>,
      /** How far the executions of each registered n8n were fetched. GET /api/v1/flowplatform/sync/status (scope read) */
      syncStatus: (input?: FlowplatformSyncStatusInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/flowplatform/sync/status"}, input, how) as Promise<FlowplatformSyncStatusOutput>,
      /** Takes what n8n tells of its runs. POST /api/v1/flowplatform/webhook (scope ingest) */
      webhook: (input: FlowplatformWebhookInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/flowplatform/webhook"}, input, how) as Promise<FlowplatformWebhookOutput>,
      /** The same for senders that can neither sign nor set a header: the address of one registration of n8n. POST /api/v1/flowplatform/webhook/{token} */
      webhookToken: (input: FlowplatformWebhookTokenInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/flowplatform/webhook/{token}"}, input, how) as Promise<FlowplatformWebhookTokenOutput>,
      /** Registers a workflow of n8n; the address and secret of its webhook are shown once. POST /api/v1/flowplatform/workflows (scope write) */
      registerWorkflow: (input: FlowplatformRegisterWorkflowInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/flowplatform/workflows"}, input, how) as Promise<FlowplatformRegisterWorkflowOutput>,
      /** Registered workflows of n8n, newest first. GET /api/v1/flowplatform/workflows (scope read) */
      listWorkflows: (input?: FlowplatformListWorkflowsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/flowplatform/workflows","query":["page","page_size","cursor"]}, input, how) as Promise<FlowplatformListWorkflowsOutput>,
    },
    graphruntime: {
      /** Registers an assistant of LangGraph. POST /api/v1/graphruntime/assistants (scope write) */
      registerAssistant: (input: GraphruntimeRegisterAssistantInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/graphruntime/assistants"}, input, how) as Promise<GraphruntimeRegisterAssistantOutput>,
      /** Registered assistants of LangGraph, newest first. GET /api/v1/graphruntime/assistants (scope read) */
      listAssistants: (input?: GraphruntimeListAssistantsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/graphruntime/assistants","query":["page","page_size","cursor"]}, input, how) as Promise<GraphruntimeListAssistantsOutput>,
      /** Registers a deployment of LangGraph; the address and secret of its webhook are shown once. POST /api/v1/graphruntime/deployments (scope write) */
      registerDeployment: (input: GraphruntimeRegisterDeploymentInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/graphruntime/deployments"}, input, how) as Promise<GraphruntimeRegisterDeploymentOutput>,
      /** Registered deployments of LangGraph, newest first. GET /api/v1/graphruntime/deployments (scope read) */
      listDeployments: (input?: GraphruntimeListDeploymentsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/graphruntime/deployments","query":["page","page_size","cursor"]}, input, how) as Promise<GraphruntimeListDeploymentsOutput>,
      /** Runs of LangGraph whose nodes are still to be fetched, or could not be. GET /api/v1/graphruntime/fetches (scope read) */
      fetches: (input?: GraphruntimeFetchesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/graphruntime/fetches","query":["page","page_size","cursor"]}, input, how) as Promise<GraphruntimeFetchesOutput>,
      /** Server-sent events about runs of LangGraph: `connected`, `execution.started`, `execution.updated`, `execution.finished`, `detection.created`, `alert.sent`, `gap`, `closing`. GET /api/v1/graphruntime/stream (scope read) */
      stream: (input?: GraphruntimeStreamInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/graphruntime/stream"}, input, how) as Promise<GraphruntimeStreamOutput>,
      /** Takes what LangGraph tells of its runs, signed where a registration says so. POST /api/v1/graphruntime/webhook (scope ingest) */
      webhook: (input: GraphruntimeWebhookInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/graphruntime/webhook"}, input, how) as Promise<GraphruntimeWebhookOutput>,
      /** The same for senders that can neither sign nor set a header: the address of one registration of LangGraph. POST /api/v1/graphruntime/webhook/{token} */
      webhookToken: (input: GraphruntimeWebhookTokenInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/graphruntime/webhook/{token}"}, input, how) as Promise<GraphruntimeWebhookTokenOutput>,
    },
    healing: {
      /** All fixes that were ever applied, last first. GET /api/v1/tenants/{tenant_id}/healing/history (scope read) */
      history: (input: HealingHistoryInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/healing/history","query":["page","page_size","cursor"]}, input, how) as Promise<HealingHistoryOutput>,
      /** Plans a change: a fix, the likeliest fix of a detection, or changes of your own for it. POST /api/v1/tenants/{tenant_id}/healing/operations (scope write) */
      create: (input: HealingCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations"}, input, how) as Promise<HealingCreateOutput>,
      /** Healing operations, newest first. GET /api/v1/tenants/{tenant_id}/healing/operations (scope read) */
      list: (input: HealingListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/healing/operations","query":["page","page_size","cursor","status","fix_type","detection_id"]}, input, how) as Promise<HealingListOutput>,
      /** A healing operation with its plan, and what a rollback would do. GET /api/v1/tenants/{tenant_id}/healing/operations/{operation_id} (scope read) */
      get: (input: HealingGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}"}, input, how) as Promise<HealingGetOutput>,
      /** Lets a planned operation be executed. POST /api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/approve (scope write) */
      approve: (input: HealingApproveInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/approve"}, input, how) as Promise<HealingApproveOutput>,
      /** Looks what stands at the target now. POST /api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/check (scope write) */
      check: (input: HealingCheckInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/check"}, input, how) as Promise<HealingCheckOutput>,
      /** Makes the change, and checks that it took; by hand: shows that it is being made. POST /api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/execute (scope write) */
      execute: (input: HealingExecuteInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/execute"}, input, how) as Promise<HealingExecuteOutput>,
      /** Ends an operation that was not executed. POST /api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/reject (scope write) */
      reject: (input: HealingRejectInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/reject"}, input, how) as Promise<HealingRejectOutput>,
      /** Records the outcome of what was done by hand, or of an operation whose outcome is unknown. POST /api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/resolve (scope write) */
      resolve: (input: HealingResolveInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/resolve"}, input, how) as Promise<HealingResolveOutput>,
      /** Puts back exactly what stood there before. POST /api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/rollback (scope write) */
      rollback: (input: HealingRollbackInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/healing/operations/{operation_id}/rollback"}, input, how) as Promise<HealingRollbackOutput>,
      /** Which fixes may go ahead without a person. GET /api/v1/tenants/{tenant_id}/settings/healing (scope read) */
      policy: (input: HealingPolicyInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/healing"}, input, how) as Promise<HealingPolicyOutput>,
      /** Sets which fixes may go ahead without a person; what is not named stays. PUT /api/v1/tenants/{tenant_id}/settings/healing (scope write) */
      changePolicy: (input: HealingChangePolicyInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/healing"}, input, how) as Promise<HealingChangePolicyOutput>,
    },
    health: {
      /** State of the service and of each component it depends on. GET /api/v1/health */
      get: (input?: HealthInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/health"}, input, how) as Promise<HealthOutput>,
    },
    importJobs: {
      /** Import jobs of the credential’s tenant, newest first. GET /api/v1/import-jobs (scope read) */
      list: (input?: ImportJobsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/import-jobs","query":["page","page_size","cursor","status","sha256"]}, input, how) as Promise<ImportJobsListOutput>,
      /** Upload a file of JSON or JSON lines, which is taken in the background. POST /api/v1/import-jobs (scope write) */
      create: (input: ImportJobsCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/import-jobs","query":["format","alert","file_name"],"rawType":"application/x-ndjson"}, input, how) as Promise<ImportJobsCreateOutput>,
      /** How far an import has come. GET /api/v1/import-jobs/{import_job_id} (scope read) */
      get: (input: ImportJobsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/import-jobs/{import_job_id}"}, input, how) as Promise<ImportJobsGetOutput>,
      /** Cancel an open import, or forget one that is over; what it took in stays. DELETE /api/v1/import-jobs/{import_job_id} (scope write) */
      delete: (input: ImportJobsDeleteInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/import-jobs/{import_job_id}"}, input, how) as Promise<ImportJobsDeleteOutput>,
      /** What an import took in, and what it refused. GET /api/v1/import-jobs/{import_job_id}/results (scope read) */
      results: (input: ImportJobsResultsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/import-jobs/{import_job_id}/results","query":["page","page_size"]}, input, how) as Promise<ImportJobsResultsOutput>,
    },
    ingest: {
      /** What senders sent since the server started that was refused, and why; requests without a valid key are shown to the operator and to the only tenant of an instance. GET /api/v1/tenants/{tenant_id}/ingest/refusals (scope read) */
      refusals: (input: IngestRefusalsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/ingest/refusals"}, input, how) as Promise<IngestRefusalsOutput>,
    },
    integrations: {
      /** All that is registered of other platforms, newest first. GET /api/v1/integrations (scope read) */
      list: (input?: IntegrationsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/integrations","query":["page","page_size","cursor","integration","kind"]}, input, how) as Promise<IntegrationsListOutput>,
      /** One registration. GET /api/v1/integrations/{registration_id} (scope read) */
      get: (input: IntegrationsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/integrations/{registration_id}"}, input, how) as Promise<IntegrationsGetOutput>,
      /** Changes what is named, leaves the rest. PUT /api/v1/integrations/{registration_id} (scope write) */
      change: (input: IntegrationsChangeInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/integrations/{registration_id}"}, input, how) as Promise<IntegrationsChangeOutput>,
      /** Forgets a registration, what belongs to it and its credentials; its webhook ends at once, its traces stay. DELETE /api/v1/integrations/{registration_id} (scope write) */
      remove: (input: IntegrationsRemoveInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/integrations/{registration_id}"}, input, how) as Promise<IntegrationsRemoveOutput>,
      /** A new address and secret for its webhook, shown once; the old ones end at once. POST /api/v1/integrations/{registration_id}/rotate (scope write) */
      rotateWebhook: (input: IntegrationsRotateWebhookInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/integrations/{registration_id}/rotate"}, input, how) as Promise<IntegrationsRotateWebhookOutput>,
    },
    issues: {
      /** Failures that recur across runs; what regressed first, then by impact. GET /api/v1/tenants/{tenant_id}/issues (scope read) */
      list: (input: IssuesListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/issues","query":["page","page_size","cursor","status","type","agent","severity","regressed","new","q","sort"]}, input, how) as Promise<IssuesListOutput>,
      /** Resolve, ignore, snooze or reopen up to 200 issues; an issue that does not exist affects no other. POST /api/v1/tenants/{tenant_id}/issues/batch (scope write) */
      changeMany: (input: IssuesChangeManyInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/issues/batch"}, input, how) as Promise<IssuesChangeManyOutput>,
      /** One recurring failure. GET /api/v1/tenants/{tenant_id}/issues/{issue_id} (scope read) */
      get: (input: IssuesGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/issues/{issue_id}"}, input, how) as Promise<IssuesGetOutput>,
      /** Ignore an issue until a time, until it has recurred in some runs, or until it is reopened; nobody is alerted. POST /api/v1/tenants/{tenant_id}/issues/{issue_id}/ignore (scope write) */
      ignore: (input: IssuesIgnoreInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/issues/{issue_id}/ignore"}, input, how) as Promise<IssuesIgnoreOutput>,
      /** Open an issue that is resolved or ignored. POST /api/v1/tenants/{tenant_id}/issues/{issue_id}/reopen (scope write) */
      reopen: (input: IssuesReopenInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/issues/{issue_id}/reopen"}, input, how) as Promise<IssuesReopenOutput>,
      /** Resolve an issue; if a later run has it again, it is open again, as regressed. POST /api/v1/tenants/{tenant_id}/issues/{issue_id}/resolve (scope write) */
      resolve: (input: IssuesResolveInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/issues/{issue_id}/resolve"}, input, how) as Promise<IssuesResolveOutput>,
      /** Ignore an issue until a time, for 24 hours if none is given. POST /api/v1/tenants/{tenant_id}/issues/{issue_id}/snooze (scope write) */
      snooze: (input: IssuesSnoozeInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/issues/{issue_id}/snooze"}, input, how) as Promise<IssuesSnoozeOutput>,
    },
    jobs: {
      /** Jobs that delete, newest first. GET /api/v1/tenants/{tenant_id}/jobs (scope read) */
      list: (input: JobsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/jobs","query":["page","page_size","cursor"]}, input, how) as Promise<JobsListOutput>,
      /** How far a job has come. GET /api/v1/tenants/{tenant_id}/jobs/{job_id} (scope read) */
      get: (input: JobsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/jobs/{job_id}"}, input, how) as Promise<JobsGetOutput>,
      /** Cancel an open job, or forget one that is over; what it deleted stays deleted. DELETE /api/v1/tenants/{tenant_id}/jobs/{job_id} (scope write) */
      delete: (input: JobsDeleteInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/jobs/{job_id}"}, input, how) as Promise<JobsDeleteOutput>,
    },
    langfuse: {
      /** Health as Langfuse’s SDKs ask for it. GET /api/public/health */
      health: (input?: LangfuseHealthInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/public/health"}, input, how) as Promise<LangfuseHealthOutput>,
      /** Take event batches of Langfuse’s SDKs before version 4; a bad event affects no other. POST /api/public/ingestion (scope ingest) */
      ingestion: (input: LangfuseIngestionInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/public/ingestion"}, input, how) as Promise<LangfuseIngestionOutput>,
      /** OTLP/HTTP receiver under the path of Langfuse’s SDKs. POST /api/public/otel/v1/traces (scope ingest) */
      otlp: (input: LangfuseOtlpInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/public/otel/v1/traces","rawType":"application/x-protobuf"}, input, how) as Promise<LangfuseOtlpOutput>,
    },
    langsmith: {
      /** What LangSmith’s SDKs ask before they send. GET /info */
      info: (input?: LangsmithInfoInput, how?: CallOptions) =>
        call({"method":"GET","path":"/info"}, input, how) as Promise<LangsmithInfoOutput>,
      /** OTLP/HTTP receiver under the path of LangSmith’s SDKs. POST /otel/v1/traces (scope ingest) */
      otlp: (input: LangsmithOtlpInput, how?: CallOptions) =>
        call({"method":"POST","path":"/otel/v1/traces","rawType":"application/x-protobuf"}, input, how) as Promise<LangsmithOtlpOutput>,
      /** Take one run of LangSmith’s SDKs. POST /runs (scope ingest) */
      createRun: (input: LangsmithCreateRunInput, how?: CallOptions) =>
        call({"method":"POST","path":"/runs"}, input, how) as Promise<LangsmithCreateRunOutput>,
      /** Take runs and their updates: `{post: […], patch: […]}`. POST /runs/batch (scope ingest) */
      takeBatch: (input: LangsmithTakeBatchInput, how?: CallOptions) =>
        call({"method":"POST","path":"/runs/batch"}, input, how) as Promise<LangsmithTakeBatchOutput>,
      /** The same as multipart; attachments and feedback are left out. POST /runs/multipart (scope ingest) */
      takeMultipart: (input: LangsmithTakeMultipartInput, how?: CallOptions) =>
        call({"method":"POST","path":"/runs/multipart"}, input, how) as Promise<LangsmithTakeMultipartOutput>,
      /** Complete a run that was posted before. PATCH /runs/{run_id} (scope ingest) */
      updateRun: (input: LangsmithUpdateRunInput, how?: CallOptions) =>
        call({"method":"PATCH","path":"/runs/{run_id}"}, input, how) as Promise<LangsmithUpdateRunOutput>,
    },
    livez: {
      /** Whether the process answers. GET /livez */
      get: (input?: LivezInput, how?: CallOptions) =>
        call({"method":"GET","path":"/livez"}, input, how) as Promise<LivezOutput>,
    },
    llmapps: {
      /** Registers an app of Dify; the address and secret of its webhook are shown once. POST /api/v1/llmapps/apps (scope write) */
      registerApp: (input: LlmappsRegisterAppInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/llmapps/apps"}, input, how) as Promise<LlmappsRegisterAppOutput>,
      /** Registered apps of Dify, newest first. GET /api/v1/llmapps/apps (scope read) */
      listApps: (input?: LlmappsListAppsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/llmapps/apps","query":["page","page_size","cursor"]}, input, how) as Promise<LlmappsListAppsOutput>,
      /** Registers an instance of Dify; the address and secret of its webhook are shown once. POST /api/v1/llmapps/instances (scope write) */
      registerInstance: (input: LlmappsRegisterInstanceInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/llmapps/instances"}, input, how) as Promise<LlmappsRegisterInstanceOutput>,
      /** Registered instances of Dify, newest first. GET /api/v1/llmapps/instances (scope read) */
      listInstances: (input?: LlmappsListInstancesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/llmapps/instances","query":["page","page_size","cursor"]}, input, how) as Promise<LlmappsListInstancesOutput>,
      /** Server-sent events about runs of Dify: `connected`, `execution.started`, `execution.updated`, `execution.finished`, `detection.created`, `alert.sent`, `gap`, `closing`. GET /api/v1/llmapps/stream (scope read) */
      stream: (input?: LlmappsStreamInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/llmapps/stream"}, input, how) as Promise<LlmappsStreamOutput>,
      /** Fetches summaries of runs of Dify that were not fetched before, in the background; they hold no nodes, and as history they alert nobody. POST /api/v1/llmapps/sync (scope write) */
      sync: (input?: LlmappsSyncInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/llmapps/sync"}, input, how) as Promise<LlmappsSyncOutput>,
      /** How far the runs of each registered app of Dify were fetched. GET /api/v1/llmapps/sync/status (scope read) */
      syncStatus: (input?: LlmappsSyncStatusInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/llmapps/sync/status"}, input, how) as Promise<LlmappsSyncStatusOutput>,
      /** Takes what Dify tells of its runs, signed where a registration says so. POST /api/v1/llmapps/webhook (scope ingest) */
      webhook: (input: LlmappsWebhookInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/llmapps/webhook"}, input, how) as Promise<LlmappsWebhookOutput>,
      /** The same for senders that can neither sign nor set a header: the address of one registration of Dify. POST /api/v1/llmapps/webhook/{token} */
      webhookToken: (input: LlmappsWebhookTokenInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/llmapps/webhook/{token}"}, input, how) as Promise<LlmappsWebhookTokenOutput>,
    },
    metrics: {
      /** Figures in Prometheus text format: a tenant’s own, for the operator the instance’s. GET /api/v1/metrics (scope read) */
      get: (input?: MetricsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/metrics"}, input, how) as Promise<MetricsOutput>,
      /** The same figures as JSON. GET /api/v1/metrics/json (scope read) */
      json: (input?: MetricsJsonInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/metrics/json"}, input, how) as Promise<MetricsJsonOutput>,
      /** A dashboard of these figures, as Datadog’s dashboard API takes it. GET /api/v1/metrics/vendor/dashboard (scope read) */
      vendorDashboard: (input?: MetricsVendorDashboardInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/metrics/vendor/dashboard"}, input, how) as Promise<MetricsVendorDashboardOutput>,
      /** Sends what the figures have grown by to Datadog: a tenant’s own, for the operator the instance’s. POST /api/v1/metrics/vendor/flush (scope write) */
      flushVendor: (input?: MetricsFlushVendorInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/metrics/vendor/flush"}, input, how) as Promise<MetricsFlushVendorOutput>,
    },
    openaiAgents: {
      /** Take what the OpenAI Agents SDK’s trace exporter posts; the tenant is the credential’s. POST /v1/traces/ingest (scope ingest) */
      traces: (input: OpenaiAgentsTracesInput, how?: CallOptions) =>
        call({"method":"POST","path":"/v1/traces/ingest"}, input, how) as Promise<OpenaiAgentsTracesOutput>,
    },
    openapi: {
      /** This description. GET /openapi.json */
      get: (input?: OpenapiInput, how?: CallOptions) =>
        call({"method":"GET","path":"/openapi.json"}, input, how) as Promise<OpenapiOutput>,
    },
    otlp: {
      /** OTLP/HTTP receiver for the events of coding agents; other log records are taken and left. POST /v1/logs (scope ingest) */
      logs: (input: OtlpLogsInput, how?: CallOptions) =>
        call({"method":"POST","path":"/v1/logs","rawType":"application/x-protobuf"}, input, how) as Promise<OtlpLogsOutput>,
      /** OTLP/HTTP receiver; the tenant is the credential’s. POST /v1/traces (scope ingest) */
      traces: (input: OtlpTracesInput, how?: CallOptions) =>
        call({"method":"POST","path":"/v1/traces","rawType":"application/x-protobuf"}, input, how) as Promise<OtlpTracesOutput>,
    },
    overview: {
      /** How many traces, issues, detections, healing operations, imports and alerts need attention. GET /api/v1/tenants/{tenant_id}/overview (scope read) */
      get: (input: OverviewGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/overview","query":["since"]}, input, how) as Promise<OverviewGetOutput>,
    },
    readyz: {
      /** Whether it can work. GET /readyz */
      get: (input?: ReadyzInput, how?: CallOptions) =>
        call({"method":"GET","path":"/readyz"}, input, how) as Promise<ReadyzOutput>,
    },
    retention: {
      /** How long traces are kept. GET /api/v1/tenants/{tenant_id}/settings/retention (scope read) */
      get: (input: RetentionGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/retention"}, input, how) as Promise<RetentionGetOutput>,
      /** Set how long traces are kept; older ones are deleted every night. PUT /api/v1/tenants/{tenant_id}/settings/retention (scope admin) */
      set: (input: RetentionSetInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/retention"}, input, how) as Promise<RetentionSetOutput>,
    },
    root: {
      /** What answers here. GET / */
      get: (input?: RootInput, how?: CallOptions) =>
        call({"method":"GET","path":"/"}, input, how) as Promise<RootOutput>,
    },
    security: {
      /** What does a text cost as a model’s input?. POST /api/v1/security/cost/calculate (scope read) */
      calculateCost: (input: SecurityCalculateCostInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/security/cost/calculate"}, input, how) as Promise<SecurityCalculateCostOutput>,
      /** Does an output say what its sources do not?. POST /api/v1/security/hallucination/check (scope read) */
      checkHallucination: (input: SecurityCheckHallucinationInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/security/hallucination/check"}, input, how) as Promise<SecurityCheckHallucinationOutput>,
      /** Does a text try to give the model orders?. POST /api/v1/security/injection/check (scope read) */
      checkInjection: (input: SecurityCheckInjectionInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/security/injection/check"}, input, how) as Promise<SecurityCheckInjectionOutput>,
      /** Models with their context windows and prices. GET /api/v1/security/models (scope read) */
      models: (input?: SecurityModelsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/security/models"}, input, how) as Promise<SecurityModelsOutput>,
      /** How much of a model’s context window does a text take?. POST /api/v1/security/overflow/check (scope read) */
      checkOverflow: (input: SecurityCheckOverflowInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/security/overflow/check"}, input, how) as Promise<SecurityCheckOverflowOutput>,
    },
    sessions: {
      /** Sign in with an API key or the token of a one-time link; the answer sets a cookie. POST /api/v1/auth/session */
      create: (input: SessionsCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/auth/session"}, input, how) as Promise<SessionsCreateOutput>,
      /** Who is signed in, what they may do, and what this instance offers; any credential is accepted. GET /api/v1/auth/session */
      get: (input?: SessionsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/auth/session"}, input, how) as Promise<SessionsGetOutput>,
      /** Sign out. DELETE /api/v1/auth/session */
      delete: (input?: SessionsDeleteInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/auth/session"}, input, how) as Promise<SessionsDeleteOutput>,
    },
    settings: {
      /** Firing thresholds by detector and subtype. GET /api/v1/tenants/{tenant_id}/settings/detector-overrides (scope read) */
      overrides: (input: SettingsOverridesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/detector-overrides"}, input, how) as Promise<SettingsOverridesOutput>,
      /** Sets firing thresholds, 0 to 1, of a detector (`loop`) or a subtype (`loop/cyclic`); null resets one; others stay. Counts from the next ingested trace. PUT /api/v1/tenants/{tenant_id}/settings/detector-overrides (scope write) */
      changeOverrides: (input: SettingsChangeOverridesInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/detector-overrides"}, input, how) as Promise<SettingsChangeOverridesOutput>,
      /** Which detectors are on. GET /api/v1/tenants/{tenant_id}/settings/detectors (scope read) */
      detectors: (input: SettingsDetectorsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/detectors"}, input, how) as Promise<SettingsDetectorsOutput>,
      /** Switches detectors on or off; null gives one its default back; others stay. PUT /api/v1/tenants/{tenant_id}/settings/detectors (scope write) */
      switchDetectors: (input: SettingsSwitchDetectorsInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/detectors"}, input, how) as Promise<SettingsSwitchDetectorsOutput>,
      /** Whether a model is asked about uncertain findings, and what that has used today. GET /api/v1/tenants/{tenant_id}/settings/judge (scope read) */
      judge: (input: SettingsJudgeInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/judge"}, input, how) as Promise<SettingsJudgeOutput>,
      /** Lets a model be asked about uncertain findings, or not; counts from the next analysed trace. PUT /api/v1/tenants/{tenant_id}/settings/judge (scope write) */
      changeJudge: (input: SettingsChangeJudgeInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/judge"}, input, how) as Promise<SettingsChangeJudgeOutput>,
    },
    signInLinks: {
      /** Create a one-time link that signs in as the operator, valid for 10 minutes. POST /api/v1/auth/sign-in-links */
      createOperator: (input?: SignInLinksCreateOperatorInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/auth/sign-in-links"}, input, how) as Promise<SignInLinksCreateOperatorOutput>,
      /** Create a one-time link to the dashboard with the scopes of this credential, valid for 10 minutes. POST /api/v1/tenants/{tenant_id}/sign-in-links (scope admin) */
      create: (input: SignInLinksCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/sign-in-links"}, input, how) as Promise<SignInLinksCreateOutput>,
    },
    tenants: {
      /** Register a tenant; its first API key is shown this once. POST /api/v1/auth/tenants */
      create: (input: TenantsCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/auth/tenants"}, input, how) as Promise<TenantsCreateOutput>,
      /** List tenants, oldest first. GET /api/v1/tenants */
      list: (input?: TenantsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants","query":["page","page_size","cursor"]}, input, how) as Promise<TenantsListOutput>,
      /** Show a tenant. GET /api/v1/tenants/{tenant_id} (scope read) */
      get: (input: TenantsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}"}, input, how) as Promise<TenantsGetOutput>,
      /** Delete a tenant and everything of it. DELETE /api/v1/tenants/{tenant_id} */
      delete: (input: TenantsDeleteInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}"}, input, how) as Promise<TenantsDeleteOutput>,
      /** Server-sent events about everything that happens in a tenant, OTLP runs included. GET /api/v1/tenants/{tenant_id}/stream (scope read) */
      stream: (input: TenantsStreamInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/stream","query":["topics","trace_id"]}, input, how) as Promise<TenantsStreamOutput>,
    },
    thresholds: {
      /** Default thresholds with their bounds. GET /api/v1/settings/thresholds/defaults */
      defaults: (input?: ThresholdsDefaultsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/settings/thresholds/defaults"}, input, how) as Promise<ThresholdsDefaultsOutput>,
      /** Detection thresholds: at the top what counts, beneath it what the tenant set. GET /api/v1/tenants/{tenant_id}/settings/thresholds (scope read) */
      get: (input: ThresholdsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/thresholds","query":["framework"]}, input, how) as Promise<ThresholdsGetOutput>,
      /** Sets thresholds; null unsets a field, others stay, flat fields mean `global`. PUT /api/v1/tenants/{tenant_id}/settings/thresholds (scope write) */
      change: (input: ThresholdsChangeInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/settings/thresholds"}, input, how) as Promise<ThresholdsChangeOutput>,
      /** Gives all thresholds their defaults back, or those of one framework. DELETE /api/v1/tenants/{tenant_id}/settings/thresholds (scope write) */
      reset: (input: ThresholdsResetInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/settings/thresholds","query":["framework"]}, input, how) as Promise<ThresholdsResetOutput>,
      /** Default thresholds with their bounds, the same for every tenant. GET /api/v1/tenants/{tenant_id}/settings/thresholds/defaults */
      tenantDefaults: (input: ThresholdsTenantDefaultsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/thresholds/defaults"}, input, how) as Promise<ThresholdsTenantDefaultsOutput>,
      /** What thresholds would change: judges recent traces as they are set and as proposed. GET /api/v1/tenants/{tenant_id}/settings/thresholds/preview (scope read) */
      preview: (input: ThresholdsPreviewInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/settings/thresholds/preview","query":["structural_threshold","semantic_threshold","loop_detection_window","min_matches_for_loop","confidence_scaling","context_warning_ratio","context_critical_ratio","token_budget","cost_budget_usd","max_steps","framework"]}, input, how) as Promise<ThresholdsPreviewOutput>,
    },
    tokens: {
      /** Sign access tokens with a new key; tokens that are out keep their hour. POST /api/v1/auth/signing-keys/rotate */
      rotateSigningKey: (input?: TokensRotateSigningKeyInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/auth/signing-keys/rotate"}, input, how) as Promise<TokensRotateSigningKeyOutput>,
      /** Exchange an API key for an access token of one hour. POST /api/v1/auth/token */
      create: (input: TokensCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/auth/token"}, input, how) as Promise<TokensCreateOutput>,
    },
    traces: {
      /** Traces, newest first or in another order. GET /api/v1/tenants/{tenant_id}/traces (scope read) */
      list: (input: TracesListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces","query":["page","page_size","cursor","agent_id","status","framework","model","severity","min_severity","grade","min_cost","min_duration","q","text","workflow_id","project","branch","ended_by","group_id","include_bookkeeping","date_from","date_to","sort"]}, input, how) as Promise<TracesListOutput>,
      /** Delete every trace that fits, in the background; at least one condition is needed. DELETE /api/v1/tenants/{tenant_id}/traces (scope write) */
      deleteMatching: (input: TracesDeleteMatchingInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/traces","query":["agent_id","status","framework","date_from","date_to"]}, input, how) as Promise<TracesDeleteMatchingOutput>,
      /** How many traces have each status, framework, agent, model, severity, grade and workflow. GET /api/v1/tenants/{tenant_id}/traces/facets (scope read) */
      facets: (input: TracesFacetsInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/facets","query":["agent_id","status","framework","model","severity","min_severity","grade","min_cost","min_duration","q","text","workflow_id","project","branch","ended_by","group_id","include_bookkeeping","date_from","date_to","top"]}, input, how) as Promise<TracesFacetsOutput>,
      /** How many traces started when, by status. GET /api/v1/tenants/{tenant_id}/traces/histogram (scope read) */
      histogram: (input: TracesHistogramInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/histogram","query":["agent_id","status","framework","model","severity","min_severity","grade","min_cost","min_duration","q","text","workflow_id","project","branch","ended_by","group_id","include_bookkeeping","date_from","date_to","buckets"]}, input, how) as Promise<TracesHistogramOutput>,
      /** Take spans; answered once they are stored. POST /api/v1/tenants/{tenant_id}/traces/ingest (scope ingest) */
      ingest: (input: TracesIngestInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/traces/ingest","rawType":"application/x-protobuf"}, input, how) as Promise<TracesIngestOutput>,
      /** Analyses stored traces again in the background: those named, or all whose analysis was given up. POST /api/v1/tenants/{tenant_id}/traces/reanalyze (scope write) */
      reanalyze: (input: TracesReanalyzeInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/traces/reanalyze"}, input, how) as Promise<TracesReanalyzeOutput>,
      /** One trace with all its spans and states. GET /api/v1/tenants/{tenant_id}/traces/{trace_id} (scope read) */
      get: (input: TracesGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}","query":["include"]}, input, how) as Promise<TracesGetOutput>,
      /** Delete a trace with its detections and all that was made of it, for good. DELETE /api/v1/tenants/{tenant_id}/traces/{trace_id} (scope write) */
      delete: (input: TracesDeleteInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}"}, input, how) as Promise<TracesDeleteOutput>,
      /** Runs every detector over the trace now and returns what stands. POST /api/v1/tenants/{tenant_id}/traces/{trace_id}/analyze (scope read) */
      analyze: (input: TracesAnalyzeInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/analyze","query":["alert"]}, input, how) as Promise<TracesAnalyzeOutput>,
      /** Where a text is in the steps of a trace, with what is around it. GET /api/v1/tenants/{tenant_id}/traces/{trace_id}/find (scope read) */
      find: (input: TracesFindInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/find","query":["text","from_step","count"]}, input, how) as Promise<TracesFindOutput>,
      /** Agents and tools of a trace as a graph of calls, delegations and hand-offs with counts. GET /api/v1/tenants/{tenant_id}/traces/{trace_id}/graph (scope read) */
      graph: (input: TracesGraphInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/graph"}, input, how) as Promise<TracesGraphOutput>,
      /** The shape of a trace without its texts, in columns. GET /api/v1/tenants/{tenant_id}/traces/{trace_id}/outline (scope read) */
      outline: (input: TracesOutlineInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/outline"}, input, how) as Promise<TracesOutlineOutput>,
      /** Some spans of a trace: by id, or a window of steps. GET /api/v1/tenants/{tenant_id}/traces/{trace_id}/spans (scope read) */
      spans: (input: TracesSpansInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/spans","query":["ids","from_step","count"]}, input, how) as Promise<TracesSpansOutput>,
      /** One span of a trace. GET /api/v1/tenants/{tenant_id}/traces/{trace_id}/spans/{span_id} (scope read) */
      span: (input: TracesSpanInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/spans/{span_id}"}, input, how) as Promise<TracesSpanOutput>,
      /** State snapshots of a trace in order. GET /api/v1/tenants/{tenant_id}/traces/{trace_id}/states (scope read) */
      states: (input: TracesStatesInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/traces/{trace_id}/states","query":["from","count"]}, input, how) as Promise<TracesStatesOutput>,
      /** Take records of a command-line coding agent; the tenant is the credential’s. POST /api/v1/traces/cli-agent/ingest (scope ingest) */
      cliAgentIngest: (input: TracesCliAgentIngestInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/traces/cli-agent/ingest"}, input, how) as Promise<TracesCliAgentIngestOutput>,
    },
    typescriptClient: {
      /** A typed client of this interface in TypeScript. GET /misstep-client.ts */
      get: (input?: TypescriptClientInput, how?: CallOptions) =>
        call({"method":"GET","path":"/misstep-client.ts"}, input, how) as Promise<TypescriptClientOutput>,
    },
    webFile: {
      /** A script, the styles or the icon of the web page. GET /ui/assets/{name} */
      get: (input: WebFileInput, how?: CallOptions) =>
        call({"method":"GET","path":"/ui/assets/{name}"}, input, how) as Promise<WebFileOutput>,
    },
    webPage: {
      /** The web page. GET /ui */
      get: (input?: WebPageInput, how?: CallOptions) =>
        call({"method":"GET","path":"/ui"}, input, how) as Promise<WebPageOutput>,
    },
    webView: {
      /** One of its views; the same page. GET /ui/{path} */
      get: (input: WebViewInput, how?: CallOptions) =>
        call({"method":"GET","path":"/ui/{path}"}, input, how) as Promise<WebViewOutput>,
    },
    workflowGroups: {
      /** Makes a group of workflows; its rules say what auto-detection puts into it. POST /api/v1/tenants/{tenant_id}/workflow-groups (scope write) */
      create: (input: WorkflowGroupsCreateInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/workflow-groups"}, input, how) as Promise<WorkflowGroupsCreateOutput>,
      /** Groups of workflows with their figures, newest first. GET /api/v1/tenants/{tenant_id}/workflow-groups (scope read) */
      list: (input: WorkflowGroupsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/workflow-groups","query":["page","page_size","cursor"]}, input, how) as Promise<WorkflowGroupsListOutput>,
      /** One group of workflows. GET /api/v1/tenants/{tenant_id}/workflow-groups/{group_id} (scope read) */
      get: (input: WorkflowGroupsGetInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/workflow-groups/{group_id}"}, input, how) as Promise<WorkflowGroupsGetOutput>,
      /** Changes what is named of a group; null empties a field, others stay. PUT /api/v1/tenants/{tenant_id}/workflow-groups/{group_id} (scope write) */
      update: (input: WorkflowGroupsUpdateInput, how?: CallOptions) =>
        call({"method":"PUT","path":"/api/v1/tenants/{tenant_id}/workflow-groups/{group_id}"}, input, how) as Promise<WorkflowGroupsUpdateOutput>,
      /** Deletes a group; its workflows stay, in no group. DELETE /api/v1/tenants/{tenant_id}/workflow-groups/{group_id} (scope write) */
      delete: (input: WorkflowGroupsDeleteInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/workflow-groups/{group_id}"}, input, how) as Promise<WorkflowGroupsDeleteOutput>,
      /** Puts the workflows that match the rules into the group, and takes out automatic ones that no longer do. POST /api/v1/tenants/{tenant_id}/workflow-groups/{group_id}/auto-detect (scope write) */
      autoDetect: (input: WorkflowGroupsAutoDetectInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/workflow-groups/{group_id}/auto-detect"}, input, how) as Promise<WorkflowGroupsAutoDetectOutput>,
      /** Puts workflows into a group by hand, out of any other; rules do not move them then. POST /api/v1/tenants/{tenant_id}/workflow-groups/{group_id}/workflows (scope write) */
      assign: (input: WorkflowGroupsAssignInput, how?: CallOptions) =>
        call({"method":"POST","path":"/api/v1/tenants/{tenant_id}/workflow-groups/{group_id}/workflows"}, input, how) as Promise<WorkflowGroupsAssignOutput>,
      /** Takes a workflow out of a group. DELETE /api/v1/tenants/{tenant_id}/workflow-groups/{group_id}/workflows/{workflow_id} (scope write) */
      unassign: (input: WorkflowGroupsUnassignInput, how?: CallOptions) =>
        call({"method":"DELETE","path":"/api/v1/tenants/{tenant_id}/workflow-groups/{group_id}/workflows/{workflow_id}"}, input, how) as Promise<WorkflowGroupsUnassignOutput>,
    },
    workflows: {
      /** Workflows seen in traces, seen last first: runs of one source, service and name. GET /api/v1/tenants/{tenant_id}/workflows (scope read) */
      list: (input: WorkflowsListInput, how?: CallOptions) =>
        call({"method":"GET","path":"/api/v1/tenants/{tenant_id}/workflows","query":["page","page_size","cursor","group_id","source"]}, input, how) as Promise<WorkflowsListOutput>,
    },
  };
}

export type Client = ReturnType<typeof createClient>;

export type AdaptedKind = {
  detector: string;
  subtype: string;
  direction: "lowered" | "raised";
  /** Firing confidence without adaptation */
  default: number;
  /** Firing confidence with it */
  firing: number;
  /** Confidence from which it is a warning; null where the usual rule stays */
  warning: number | null;
  /** Traces among those looked at that reach it */
  matches: number;
  /** Validated as real */
  valid: number;
  /** Validated as false */
  invalid: number;
  since: string;
  reason: string;
};

export type Agent = {
  agent_id: string;
  step_count: number;
  tokens_used: number;
  /** Mean duration of its steps; null where none had both times */
  avg_latency_ms: number | null;
  last_active_at: string;
  /** active: seen in the last 5 minutes; idle: in the last 24 hours */
  status: "active" | "idle" | "inactive";
};

export type AgentDetail = {
  agent_id: string;
  step_count: number;
  tokens_used: number;
  /** Mean duration of its steps; null where none had both times */
  avg_latency_ms: number | null;
  last_active_at: string;
  /** active: seen in the last 5 minutes; idle: in the last 24 hours */
  status: "active" | "idle" | "inactive";
  /** Traces that it took part in; 100,000 stands for so many or more */
  trace_count: number;
  /** Of its newest 200 runs */
  recent: {
    runs: number;
    errors: number;
    running: number;
    frameworks: string[];
    /** Used in these runs, by any agent */
    models: string[];
  };
  /** What it caused in `days` days, the most frequent first, at most 100 kinds */
  detections: Array<{
    detection_type: DetectionType;
    subtype: string;
    severity: Severity;
    count: number;
    traces: number;
    wasted_tokens: number;
    wasted_cost_usd: number;
  }>;
};

export type Alert = {
  alert_id: string;
  kind: "detection" | "follow_up";
  state: "held" | "sent" | "dropped";
  /** Why it was held or dropped */
  reason: string | null;
  detection_id: string;
  detection_type: DetectionType;
  subtype: string;
  issue_id: string | null;
  trace_id: string;
  severity: Severity;
  title: string;
  /** Detections that a follow-up counts */
  repeats: number;
  held_until: string | null;
  /** Shared by the alerts of one digest */
  message_id: string | null;
  deliveries: AlertDelivery[];
  created_at: string;
};

export type AlertChannel = "team_chat" | "community_chat" | "email" | "webhook";

export type AlertDelivery = {
  channel: AlertChannel;
  /** Address of a mail */
  target: string | null;
  state: "pending" | "delivered" | "failed" | "cancelled";
  attempts: number;
  next_attempt_at: string | null;
  delivered_at: string | null;
  problem: string | null;
};

export type AlertPage = {
  items: Alert[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type AnalyticsSeries = {
  metric: "runs" | "errors" | "cost" | "tokens" | "duration" | "score" | "detections";
  unit: "count" | "usd" | "tokens" | "ms" | "score";
  by: "none" | "status" | "framework" | "service" | "workflow" | "agent" | "model" | "detection_type";
  step: "hour" | "day";
  /** Start of each step in UTC, oldest first */
  starts: string[];
  /** The highest total first; where there are more than `top`, the last one sums the others */
  series: Array<{
    /** Value of the grouping; null for all together and for runs without one */
    key: string | null;
    label: string;
    /** Null for a mean over no runs */
    total: number | null;
    /** One for each of `starts` */
    values: Array<number | null>;
  }>;
  /** Groups that the last series sums; 0 where each has its own */
  others: number;
};

export type ApiKey = {
  /** `key_…` */
  key_id: string;
  name: string;
  scopes: Array<"ingest" | "read" | "write" | "admin">;
  created_at: string;
  expires_at: string | null;
  /** To the minute */
  last_used_at: string | null;
  revoked_at: string | null;
};

export type ApiKeyPage = {
  items: ApiKey[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type AuditEntry = {
  audit_id: string;
  at: string;
  /** Id of the API key, `operator`, id of a session, `token` for a token without a key, `guest` or `job` */
  actor: string;
  /** Id of the operation, such as `healing.execute` */
  action: string;
  object_id: string | null;
  /** Names of the members that the request gave */
  fields: string[];
  /** SHA-256 of what stood there before; null where that is not one thing */
  digest_before: string | null;
  digest_after: string | null;
  /** `done`, the code of an error, or `committed` where the end is not known */
  outcome: string;
  /** `X-Request-Id` of the request */
  request_id: string | null;
};

export type AuditEntryPage = {
  items: AuditEntry[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Calibration = {
  enabled: boolean;
  /** Share of traces that may carry a warning or worse */
  target_alert_rate: number;
  /** Traces of a framework that must have come before anything adapts */
  min_traces: number;
  /** Null before it was worked out for the first time */
  computed_at: string | null;
  frameworks: Array<{
    framework: string;
    /** Traces that are kept for it, the last 1,000 at most */
    traces: number;
    /** `own_scaling`: the tenant set confidence_scaling itself, which stands above adaptation */
    state: "collecting" | "in_effect" | "off" | "own_scaling";
    /** Share of these traces with a warning or worse, without and with what is adapted */
    alert_rate: {
      before: number;
      after: number;
    } | null;
    adapted: AdaptedKind[];
    /** The most troubled runs, ranked among each other without labels; null where none are told */
    riskiest: {
      /** Runs that were ranked */
      runs: number;
      /** Share of them told as completion/unusual_trouble */
      share: number;
      /** False where other alerts leave no room: then they are told as info */
      warns: boolean;
    } | null;
  }>;
};

export type ChannelStatus = {
  state: "off" | "ok" | "failing" | "disabled" | "unavailable";
  /** Why nothing arrives; a channel that answered 404 or 410 is switched off */
  problem: string | null;
  problem_at: string | null;
  last_delivered_at: string | null;
};

/** What a coding agent did. In place of these members the hook JSON of Claude Code, Codex, Gemini CLI and Cursor is taken as it is: `hook_event_name` for `hook_type`, `tool_response` for `tool_output`, `cwd` for `working_dir`, and so on */
export type CodingAgentRecord = {
  session_id: string;
  /** What happened, for example `PostToolUse` or `Stop` */
  hook_type?: string | null;
  /** RFC 3339, Unix seconds or Unix milliseconds; that of receipt where it is left out */
  timestamp?: string | number | null;
  tool_name?: string | null;
  tool_input: unknown;
  tool_output: unknown;
  working_dir?: string | null;
  trace_type?: string | null;
  model?: string | null;
  tokens_in?: number | null;
  tokens_out?: number | null;
  cost_usd?: number | null;
  [name: string]: unknown;
};

export type CodingSession = {
  session_id: string;
  trace_id: string | null;
  /** Session that this one was forked from, or that started it as a subagent */
  parent_id: string | null;
  /** Framework of the trace: claude-code, codex, … */
  agent: string;
  title: string | null;
  /** What was asked first */
  task: string | null;
  /** Root folder of the project */
  project: string | null;
  branch: string | null;
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number | null;
  ended_by: SessionEnd | null;
  total_tokens: number | null;
  /** Without the models in `unpriced_models` */
  cost_usd: number | null;
  models: string[];
  /** Models that used tokens and have no known price */
  unpriced_models: string[];
  /** Tool calls that a user or a policy did not allow */
  refusals: number | null;
  interrupts: number | null;
  /** Tool calls that ran and failed */
  failures: number | null;
  compactions: number | null;
  detection_count: number | null;
  max_severity: Severity | null;
};

export type CodingSessionCost = {
  cost_usd: number | null;
  /** With cached tokens */
  input_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  output_tokens: number | null;
  models: Array<{
    model: string;
    calls: number;
    tokens: number;
    /** Null where the price is not known */
    cost_usd: number | null;
  }>;
  /** Date of the price list */
  prices_as_of: string;
};

export type CodingSessionPage = {
  items: CodingSession[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type CodingSessionProblem = {
  kind: "detection" | "refusal" | "interrupt" | "correction" | "lost_instruction" | "failing_test" | "polling" | "compaction_rereads" | "rereads" | "failed_edits" | "repeated_subagent_work";
  step: number | null;
  at: string | null;
  text: string;
  detail: string | null;
  /** Of a detection */
  severity: Severity | null;
  /** `type/subtype` of a detection */
  detection_type: string | null;
  refused_by: "user" | "policy" | "harness" | null;
  /** What these steps cost; null where it is not known */
  cost_usd: number | null;
};

export type CodingSessionPrompt = {
  /** Index into the steps of the trace */
  step: number;
  at: string | null;
  text: string;
};

export type CodingSessionReport = {
  session: CodingSession;
  /** Prompts of the user in order */
  asked: CodingSessionPrompt[];
  prompt_count: number;
  done: CodingSessionWork;
  /** In order of steps; what concerns the whole session is last */
  problems: CodingSessionProblem[];
  problem_count: number;
  cost: CodingSessionCost;
  final_answer: string | null;
};

export type CodingSessionWeek = {
  from: string;
  to: string;
  session_count: number;
  /** Sessions without figures: they could not be read in full */
  incomplete_count: number;
  /** Without the models in `unpriced_models` */
  cost_usd: number | null;
  unpriced_models: string[];
  /** Date of the price list */
  prices_as_of: string;
  refusals: number;
  interrupts: number;
  failures: number;
  compactions: number;
  /** Sessions by how they ended */
  ended_by: Partial<Record<"completed" | "interrupted" | "refused" | "api_error" | "limit" | "unknown", number>>;
  days: Array<{
    date: string;
    session_count: number;
    cost_usd: number | null;
  }>;
  /** Most expensive first */
  projects: Array<{
    project: string | null;
    session_count: number;
    cost_usd: number | null;
    refusals: number;
    failures: number;
    branches: Array<{
      branch: string;
      session_count: number;
      cost_usd: number | null;
    }>;
  }>;
  /** What users corrected, what recurs first */
  corrections: Array<{
    project: string | null;
    text: string;
    times: number;
    /** Sessions in which it happened, newest first */
    sessions: string[];
  }>;
  /** Most expensive first */
  detours: Array<{
    project: string | null;
    session_id: string;
    kind: string;
    text: string;
    cost_usd: number;
    tokens: number;
  }>;
  /** Tests that failed in run after run, most runs first */
  failing_tests: Array<{
    project: string | null;
    name: string;
    runs: number;
    /** Sessions in which it happened, newest first */
    sessions: string[];
    solved: boolean;
  }>;
  lost_instructions: Array<{
    project: string | null;
    session_id: string;
    text: string;
    /** What was said before the compaction */
    before: string;
  }>;
  /** Files read again after compactions */
  reread_count: number;
  proposals: InstructionProposal[];
};

export type CodingSessionWork = {
  /** Changed files, most edits first */
  files: Array<{
    path: string;
    edits: number;
  }>;
  file_count: number;
  /** Commands without test runs, most runs first */
  commands: Array<{
    command: string;
    runs: number;
    failures: number;
  }>;
  /** Runs of commands */
  command_count: number;
  /** Test runs by command */
  tests: Array<{
    command: string;
    runs: number;
    failures: number;
    last: "passed" | "failed" | "unknown";
  }>;
  /** Most calls first */
  tools: Array<{
    name: string;
    calls: number;
  }>;
  call_count: number;
};

export type ComponentHealth = {
  state: "ok" | "degraded" | "unavailable";
  /** What is wrong; null where the state is ok */
  detail: string | null;
};

export type Conversation = {
  conversation_id: string;
  /** The trace whose steps are the turns */
  trace_id: string;
  format: "taxonomy-data" | "chat-completions-a" | "chat-completions-b" | "generic";
  framework: string;
  /** In order of first appearance */
  participants: string[];
  turn_count: number;
  /** Sum over the turns, as reported or else estimated */
  total_tokens: number;
  /** When it came, where no turn told a time */
  started_at: string;
  ended_at: string | null;
  /** F and MAST codes of what was found in it */
  failure_modes: string[];
  /** `failure_modes` covers every turn that came */
  analyzed: boolean;
};

export type ConversationPage = {
  items: Conversation[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type CostAnalytics = {
  days: number;
  /** UTC day, e.g. 2026-01-31 */
  date_from: string;
  /** UTC day, e.g. 2026-01-31 */
  date_to: string;
  total_cost_usd: number;
  total_tokens: number;
  total_traces: number;
  /** Traces whose cost is not known: no price of their model, or no tokens */
  unpriced_traces: number;
  by_framework: Record<string, {
    cost_usd: number;
    tokens: number;
    /** For a model: traces that name it */
    traces: number;
  }>;
  /** `unknown`: spent by steps that name no model */
  by_model: Record<string, {
    cost_usd: number;
    tokens: number;
    /** For a model: traces that name it */
    traces: number;
  }>;
  /** Every day, oldest first */
  by_day: Array<{
    /** UTC day, e.g. 2026-01-31 */
    date: string;
    cost_usd: number;
    tokens: number;
  }>;
  /** The ten that cost most */
  top_traces: Array<{
    trace_id: string;
    name: string;
    framework: string;
    started_at: string;
    cost_usd: number;
    total_tokens: number;
  }>;
};

export type CreatedApiKey = {
  /** `key_…` */
  key_id: string;
  name: string;
  scopes: Array<"ingest" | "read" | "write" | "admin">;
  created_at: string;
  expires_at: string | null;
  /** To the minute */
  last_used_at: string | null;
  revoked_at: string | null;
  /** Shown once */
  api_key: string;
};

export type CreatedTenant = {
  /** `ten_…` */
  tenant_id: string;
  name: string;
  created_at: string;
  /** Shown once; holds all scopes */
  api_key: string;
};

export type DateOrTime = string;

export type DefaultThresholds = {
  structural_threshold: number | null;
  semantic_threshold: number | null;
  loop_detection_window: number | null;
  min_matches_for_loop: number | null;
  confidence_scaling: number | null;
  context_warning_ratio: number | null;
  context_critical_ratio: number | null;
  token_budget: number | null;
  cost_budget_usd: number | null;
  max_steps: number | null;
  /** Lowest and highest value of each field */
  bounds: Record<string, {
    min: number;
    max: number;
    whole: boolean;
  }>;
};

export type DesignFinding = {
  subtype: string;
  title: string;
  severity: Severity;
  confidence: number;
  explanation: string;
  suggested_action: string;
};

export type Detection = {
  detection_id: string;
  detection_type: DetectionType;
  subtype: string;
  /** F and MAST codes */
  failure_modes: string[];
  trace_id: string;
  conversation_id: string | null;
  agent_id: string | null;
  span_ids: string[];
  /** Zero-based index of the decisive step */
  step: number | null;
  confidence: number;
  severity: Severity;
  tier: DetectorTier;
  method: string;
  title: string;
  explanation: string;
  business_impact: string;
  suggested_action: string;
  evidence: Evidence[];
  wasted_tokens: number;
  wasted_cost_usd: number;
  validated: boolean;
  validation: {
    is_valid: boolean;
    feedback: string | null;
    at: string;
  } | null;
  fixes: Fix[];
  calibrated: boolean;
  /** `fact`: it can be read in the trace, confidence 0.95; `uncalibrated`: at most 0.7 */
  basis: "fact" | "calibrated" | "uncalibrated";
  withdrawn_at: string | null;
  fingerprint: string;
  issue_id: string | null;
  created_at: string;
};

export type DetectionPage = {
  items: Detection[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type DetectionType = "loop" | "state_corruption" | "context_overflow" | "coordination" | "derailment" | "persona_drift" | "workflow_design" | "hallucination" | "output_validation" | "specification" | "decomposition" | "resource_misallocation" | "tool_provision" | "context_neglect" | "withholding" | "role_usurpation" | "communication" | "quality_gate" | "completion" | "grounding" | "retrieval_quality" | "injection" | "tool_failure" | "reasoning_action_mismatch" | "cost_overrun" | "secret_leak";

export type DetectorOverrides = Record<string, {
  override: number | null;
  /** Firing threshold without an override */
  calibrated: number;
  /** The one that counts where `adapted` names no other */
  effective: number;
  source: "override" | "calibrated";
  /** What counts for each subtype */
  subtypes: Record<string, FiringThresholds>;
  /** Kinds of finding that fire otherwise, adapted to the tenant's traffic of a framework */
  adapted: Array<{
    framework: string;
    subtype: string;
    effective: number;
  }>;
}>;

export type DetectorSwitches = {
  items: Array<{
    detector: string;
    title: string;
    enabled: boolean;
    /** True after you switched the detector on: its subtypes in preview are reported. By default they are kept as observations */
    reports_previews: boolean;
    tier: DetectorTier;
    subtypes: Array<{
      subtype: string;
      /** What the subtype has shown: a preview is kept as an observation by default */
      maturity: "fact" | "measured" | "preview";
      /** Reported as `info` or worse, as things are set now */
      reported: boolean;
    }>;
  }>;
};

export type DetectorTier = "production" | "beta" | "experimental";

export type DifyApp = {
  app_id: string;
  instance_id: string | null;
  /** Its id in Dify */
  external_id?: string | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type DifyAppPage = {
  items: DifyApp[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type DifyAppSync = {
  app_id: string;
  app_name: string;
  /** The Dify that it belongs to */
  instance_id: string | null;
  instance_name: string | null;
  /** `waiting`: it failed and is tried again at `next_run_at` */
  status: "never" | "idle" | "queued" | "running" | "waiting" | "failed";
  /** null: only when asked */
  every_minutes: number | null;
  failure: string | null;
  started_at: string | null;
  finished_at: string | null;
  next_run_at: string | null;
  /** In the pass under way, or the last one */
  runs_read: number;
  /** Of those, the ones that were not known */
  runs_taken: number;
  /** Of those, the ones that could not be read */
  runs_refused: number;
  /** Every run up to then was fetched */
  newest_run_at: string | null;
};

export type DifyInstance = {
  instance_id: string;
  /** How often summaries of the runs of its apps are fetched; null: only when asked */
  sync_every_minutes?: number | null;
  /** Alerts about what came since the last fetch, as if it came live; the first fetch is history */
  sync_alerts?: boolean | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type DifyInstancePage = {
  items: DifyInstance[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type DiscoveredWorkflow = {
  /** Its id in n8n */
  external_id: string;
  instance_id: string;
  name: string;
  active: boolean;
  node_count: number;
  /** Where it is registered here */
  registration_id: string | null;
  findings: DesignFinding[];
};

export type Evidence = {
  kind: string;
  span_id: string;
  path: string | null;
  quote: string | null;
  value: unknown;
};

export type Feedback = {
  feedback_id: string;
  detection_id: string;
  trace_id: string;
  detection_type: string;
  subtype: string;
  feedback_type: "true_positive" | "false_positive" | "true_negative" | "false_negative";
  /** The failure is real: true for true_positive and false_negative */
  is_valid: boolean;
  comment: string | null;
  /** The way it came; both count alike */
  source: "feedback" | "validation";
  /** The newest word on the detection, which is the one that counts */
  is_current: boolean;
  /** Id of the API key, or `operator` */
  created_by: string | null;
  created_at: string;
};

export type FeedbackFigures = {
  true_positives: number;
  false_positives: number;
  true_negatives: number;
  false_negatives: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  /** Detections with feedback; of each the newest word counts */
  samples: number;
  /** 95 % intervals (Wilson) of the three */
  interval: {
    precision: Interval | null;
    recall: Interval | null;
    f1: Interval | null;
  };
};

export type FeedbackPage = {
  items: Feedback[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type FieldError = {
  /** RFC 6901 into the body, or `?name` for a query parameter */
  pointer: string;
  message: string;
};

export type FiredRuns = {
  fired: number;
  could_fire: number;
};

export type FiringThresholds = {
  override: number | null;
  /** Firing threshold without an override */
  calibrated: number;
  /** The one that counts where `adapted` names no other */
  effective: number;
  source: "override" | "calibrated";
};

export type Fix = {
  fix_id: string;
  detection_id: string;
  fix_type: string;
  title: string;
  description: string;
  rationale: string;
  confidence: number;
  risk: "low" | "medium" | "high";
  changes: Array<{
    target: string;
    format: "json-patch" | "unified-diff" | "text";
    before: string | null;
    after: string;
  }>;
  breaking: boolean;
  requires_testing: boolean;
  applied_at: string | null;
  /** Id of the API key, or `operator` */
  applied_by: string | null;
};

export type FlagRate = {
  rate: number;
  interval: Interval | null;
  sample_count: number;
  flagged_count: number;
};

export type Grade = "A" | "B" | "C" | "D" | "F";

export type GraphruntimeFetch = {
  trace_id: string;
  deployment_id: string;
  thread_id: string;
  run_id: string;
  /** `failed` is tried no more, unless the run is told again */
  status: "waiting" | "failed";
  attempts: number;
  /** Why the last try failed */
  problem: string | null;
  next_try_at: string | null;
};

export type GraphruntimeFetchPage = {
  items: GraphruntimeFetch[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type HealingOperation = {
  operation_id: string;
  detection_id: string;
  /** Null where the change was given with the operation */
  fix_id: string | null;
  fix_type: "loop_guard" | "retry_policy" | "state_schema" | "context_management" | "budget_limit" | "workflow_change" | "tool_change" | "input_guard" | "prompt_change" | "credential_change" | "config_change";
  title: string;
  risk: "low" | "medium" | "high";
  /** `manual` where it is done by hand */
  executor: string;
  /** Secrets are masked */
  target: Record<string, unknown>;
  target_text: string;
  /** Who let it go ahead: a person or the policy */
  policy: "manual" | "auto";
  status: "pending_approval" | "approved" | "rejected" | "executing" | "applied" | "failed" | "unknown" | "rolled_back";
  /** What was begun last */
  action: "apply" | "rollback" | null;
  approvals: Array<{
    by: string | null;
    at: string;
    note: string | null;
  }>;
  /** The last look at the target */
  verification: {
    checked_at: string;
    /** What stood at the target */
    found: "before" | "after" | "other" | "unreadable";
  } | null;
  error: string | null;
  note: string | null;
  /** Id of the API key, or `operator` */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  applied_at: string | null;
  rolled_back_at: string | null;
  plan: Array<{
    step: number;
    description: string;
    /** What is done: a unified diff, or as the fix says it */
    patch: string;
    /** What undoes it */
    inverse: string | null;
  }>;
  /** What stood at the target when it was planned */
  before: string | null;
  /** What stands there when it is applied */
  after: string | null;
  rollback: {
    available: boolean;
    /** The change that a rollback makes, as a unified diff */
    inverse: string | null;
  };
};

export type HealingPolicy = {
  /** manual: a person approves every operation */
  policy: "manual" | "auto";
  /** Kinds of fixes that may go ahead by themselves where the policy is auto */
  fix_types: Partial<Record<"loop_guard" | "retry_policy" | "state_schema" | "context_management" | "budget_limit" | "workflow_change" | "tool_change" | "input_guard" | "prompt_change" | "credential_change" | "config_change", {
    /** Highest risk that goes ahead without a person */
    max_risk: "low" | "medium" | "high";
  }>>;
  /** Operations that may go ahead by themselves in a UTC day */
  max_per_day: number;
};

export type HealingSummary = {
  operation_id: string;
  detection_id: string;
  /** Null where the change was given with the operation */
  fix_id: string | null;
  fix_type: "loop_guard" | "retry_policy" | "state_schema" | "context_management" | "budget_limit" | "workflow_change" | "tool_change" | "input_guard" | "prompt_change" | "credential_change" | "config_change";
  title: string;
  risk: "low" | "medium" | "high";
  /** `manual` where it is done by hand */
  executor: string;
  /** Secrets are masked */
  target: Record<string, unknown>;
  target_text: string;
  /** Who let it go ahead: a person or the policy */
  policy: "manual" | "auto";
  status: "pending_approval" | "approved" | "rejected" | "executing" | "applied" | "failed" | "unknown" | "rolled_back";
  /** What was begun last */
  action: "apply" | "rollback" | null;
  approvals: Array<{
    by: string | null;
    at: string;
    note: string | null;
  }>;
  /** The last look at the target */
  verification: {
    checked_at: string;
    /** What stood at the target */
    found: "before" | "after" | "other" | "unreadable";
  } | null;
  error: string | null;
  note: string | null;
  /** Id of the API key, or `operator` */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  applied_at: string | null;
  rolled_back_at: string | null;
};

export type HealingSummaryPage = {
  items: HealingSummary[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Health = {
  status: "healthy" | "degraded" | "unhealthy";
  database: "ok" | "unavailable";
  /** The cache in the process, which stands in for Redis */
  redis: "ok";
  cache: "memory";
  version: string;
  /** Spans that wait for the disk */
  queue_depth: number;
  /** Every component that the service depends on; /readyz is 503 while one is unavailable */
  components: Record<string, ComponentHealth>;
};

export type ImportError = {
  /** Which record of the file, from zero */
  record: number;
  /** Line it begins in, from one */
  line: number;
  /** RFC 6901 pointer into the record */
  pointer: string;
  message: string;
};

export type ImportJob = {
  /** `imp_…` */
  import_job_id: string;
  status: "queued" | "processing" | "completed" | "completed_with_errors" | "failed" | "cancelled";
  file_name: string;
  /** Of the file as it was sent, hex */
  sha256: string;
  /** The only format it is read as; null: told by the content */
  format: string | null;
  /** Formats that were met so far */
  formats: string[];
  /** Whether what is found may alert people */
  alert: boolean;
  bytes_total: number;
  bytes_done: number;
  /** 0 to 1 */
  progress: number;
  /** At the pace so far; null where it cannot be said */
  eta_seconds: number | null;
  records_done: number;
  /** Records of which nothing could be taken */
  records_failed: number;
  spans_accepted: number;
  spans_rejected: number;
  error_count: number;
  /** Why the job as a whole failed */
  failure: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export type ImportJobPage = {
  items: ImportJob[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type ImportResults = {
  /** `imp_…` */
  import_job_id: string;
  status: "queued" | "processing" | "completed" | "completed_with_errors" | "failed" | "cancelled";
  file_name: string;
  /** Of the file as it was sent, hex */
  sha256: string;
  /** The only format it is read as; null: told by the content */
  format: string | null;
  /** Formats that were met so far */
  formats: string[];
  /** Whether what is found may alert people */
  alert: boolean;
  bytes_total: number;
  bytes_done: number;
  /** 0 to 1 */
  progress: number;
  /** At the pace so far; null where it cannot be said */
  eta_seconds: number | null;
  records_done: number;
  /** Records of which nothing could be taken */
  records_failed: number;
  spans_accepted: number;
  spans_rejected: number;
  error_count: number;
  /** Why the job as a whole failed */
  failure: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  trace_count: number;
  /** Traces that got spans, those of this page */
  trace_ids: string[];
  /** What was refused, that of this page; the first thousand are kept */
  errors: ImportError[];
  page: number;
  page_size: number;
  has_more: boolean;
};

export type IngestRefusal = {
  path: string;
  /** 200: a part of the request was refused */
  status: number;
  /** Why, as the sender was told */
  detail: string;
  /** `User-Agent` of the sender */
  sender: string | null;
  /** How often it came since the server started */
  count: number;
  last_at: string;
  /** False: the key was missing or did not hold */
  has_credential: boolean;
};

export type IngestResult = {
  accepted_spans: number;
  rejected_spans: number;
  trace_ids: string[];
  /** The first hundred */
  errors: FieldError[];
};

export type IngestedConversation = {
  conversation_id: string;
  /** The trace whose steps are the turns */
  trace_id: string;
  format: "taxonomy-data" | "chat-completions-a" | "chat-completions-b" | "generic";
  framework: string;
  /** In order of first appearance */
  participants: string[];
  turn_count: number;
  /** Sum over the turns, as reported or else estimated */
  total_tokens: number;
  /** When it came, where no turn told a time */
  started_at: string;
  ended_at: string | null;
  /** F and MAST codes of what was found in it */
  failure_modes: string[];
  /** `failure_modes` covers every turn that came */
  analyzed: boolean;
  /** Messages and parts that could not be read; the rest was kept */
  rejected_items: number;
  /** The first hundred of them */
  errors: FieldError[];
};

export type InstanceFeatures = {
  /** A language model can be asked about uncertain detections */
  judge: boolean;
  billing: boolean;
  /** Alerts can be sent by mail */
  mail: boolean;
  datadog: boolean;
};

export type InstructionProposal = {
  project: string | null;
  file: "CLAUDE.md" | "AGENTS.md";
  /** Line to add to the file. It is shown and never applied */
  line: string;
  because: string;
  /** Sessions in which it happened, newest first */
  sessions: string[];
};

/** Lowest and highest likely value: 95 %, Wilson */
export type Interval = [number, number];

export type Issue = {
  issue_id: string;
  detection_type: DetectionType;
  subtype: string;
  title: string;
  severity: Severity;
  status: "open" | "resolved" | "ignored";
  /** Open, and first seen in the last 24 hours */
  is_new: boolean;
  /** It recurred then, after it was resolved */
  regressed_at: string | null;
  resolved_at: string | null;
  /** Null: nobody; no detection of it stands any more */
  resolved_by: string | null;
  ignored_at: string | null;
  /** It is open again after this time */
  ignored_until: string | null;
  /** It is open again when it has recurred in so many runs */
  ignored_runs_left: number | null;
  first_seen_at: string;
  last_seen_at: string;
  /** Detections that stand and are not marked as false */
  count: number;
  /** Runs with such a detection */
  run_count: number;
  /** Runs by the UTC day on which they began; the last one is today */
  runs_by_day: number[];
  /** Weight of the severity × runs of these days × (1 + wasted USD of these days) */
  impact: number;
  /** The newest detection */
  example_detection_id: string | null;
  affected_agents: string[];
  wasted_tokens: number;
  wasted_cost_usd: number;
  fingerprint: string;
};

export type IssueOutcome = {
  issue_id: string;
  outcome: "done" | "not_found";
  /** Null: there is no such issue */
  issue: Issue | null;
};

export type IssuePage = {
  items: Issue[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Job = {
  /** `job_…` */
  job_id: string;
  kind: "delete_traces" | "retention";
  status: "queued" | "processing" | "completed" | "failed" | "cancelled";
  filter: {
    agent_id: string | null;
    status: string | null;
    framework: string | null;
    date_from: string | null;
    date_to: string | null;
    received_before: string | null;
  };
  /** Traces that are gone */
  deleted: number;
  failure: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export type JobPage = {
  items: Job[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type JudgeStatus = {
  /** Switched on by the tenant; off by default */
  enabled: boolean;
  /** The instance has a model to ask */
  configured: boolean;
  /** Both: questions are asked */
  active: boolean;
  provider: string | null;
  model: string | null;
  /** Questions a day that may be asked: the tenant’s number, at most the instance’s */
  daily_calls: number;
  daily_tokens: number;
  calls_today: number;
  tokens_today: number;
  /** Questions not asked because the budget was used up */
  skipped_today: number;
  /** Midnight UTC, when the budget is whole again */
  resets_at: string;
  /** The model does not answer and is left alone until then */
  paused_until: string | null;
};

export type LangGraphAssistant = {
  assistant_id: string;
  deployment_id: string;
  /** Name of the graph in `langgraph.json` */
  graph_id: string;
  /** Its id in LangGraph; null: the graph’s own assistant */
  external_id?: string | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type LangGraphAssistantPage = {
  items: LangGraphAssistant[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type LangGraphDeployment = {
  deployment_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type LangGraphDeploymentPage = {
  items: LangGraphDeployment[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Lead = {
  step: number;
  span_id: string;
  agent: string | null;
  /** What the trace shows of the step; empty where only the ranking points at it */
  why: string[];
};

export type LoopAnalytics = {
  days: number;
  /** UTC day, e.g. 2026-01-31 */
  date_from: string;
  /** UTC day, e.g. 2026-01-31 */
  date_to: string;
  /** Loops that stand; withdrawn ones and observations are not counted */
  total: number;
  /** By the way of looping, the `subtype` of the detection */
  by_method: Record<string, number>;
  /** Mean number of steps in a loop; null where there is none */
  average_length: number | null;
  wasted_tokens: number;
  wasted_cost_usd: number;
  /** Most loops first, at most 100 */
  affected_agents: Array<{
    agent_id: string;
    count: number;
  }>;
  /** Every day, oldest first */
  time_series: Array<{
    /** UTC day, e.g. 2026-01-31 */
    date: string;
    count: number;
  }>;
};

export type Message = {
  role: string;
  name: string | null;
  content: string;
  tool_calls: Array<{
    id: string | null;
    name: string;
    arguments: unknown;
  }>;
};

export type N8nInstance = {
  instance_id: string;
  /** How often its executions are fetched; null: only when asked */
  sync_every_minutes?: number | null;
  /** Alerts about what came since the last fetch, as if it came live; the first fetch is history */
  sync_alerts?: boolean | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type N8nInstancePage = {
  items: N8nInstance[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type N8nWorkflow = {
  registration_id: string;
  instance_id: string | null;
  /** Its id in n8n */
  external_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type N8nWorkflowPage = {
  items: N8nWorkflow[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type NotificationPreferences = {
  min_severity: Severity;
  channels: {
    team_chat: WebhookChannel;
    community_chat: WebhookChannel;
    email: {
      enabled: boolean;
      addresses: string[];
      status: ChannelStatus;
    };
    webhook: {
      enabled: boolean;
      /** Masked; PUT of the mask keeps the URL */
      webhook_url: string | null;
      status: ChannelStatus;
      /** Signing secret: whole in the answer that made it, else masked */
      secret: string | null;
    };
  };
  per_detector: Partial<Record<DetectionType, SeverityFloor>>;
  quiet_hours: {
    enabled: boolean;
    start: string;
    end: string;
    timezone: string;
    severity_floor_during: Severity;
  };
  digest: {
    enabled: boolean;
    more_than: number;
  };
};

export type NotificationPreferencesChange = {
  min_severity?: Severity | null;
  channels?: {
    team_chat?: {
      enabled?: boolean;
      webhook_url?: string | null;
      status?: unknown;
    };
    community_chat?: {
      enabled?: boolean;
      webhook_url?: string | null;
      status?: unknown;
    };
    email?: {
      enabled?: boolean;
      addresses?: string[];
      status?: unknown;
    };
    webhook?: {
      enabled?: boolean;
      webhook_url?: string | null;
      status?: unknown;
      /** `whsec_` and 24 to 64 bytes in base64; left out, one is made; null makes a new one */
      secret?: string | null;
    };
  };
  per_detector?: {
    loop?: SeverityFloor;
    state_corruption?: SeverityFloor;
    context_overflow?: SeverityFloor;
    coordination?: SeverityFloor;
    derailment?: SeverityFloor;
    persona_drift?: SeverityFloor;
    workflow_design?: SeverityFloor;
    hallucination?: SeverityFloor;
    output_validation?: SeverityFloor;
    specification?: SeverityFloor;
    decomposition?: SeverityFloor;
    resource_misallocation?: SeverityFloor;
    tool_provision?: SeverityFloor;
    context_neglect?: SeverityFloor;
    withholding?: SeverityFloor;
    role_usurpation?: SeverityFloor;
    communication?: SeverityFloor;
    quality_gate?: SeverityFloor;
    completion?: SeverityFloor;
    grounding?: SeverityFloor;
    retrieval_quality?: SeverityFloor;
    injection?: SeverityFloor;
    tool_failure?: SeverityFloor;
    reasoning_action_mismatch?: SeverityFloor;
    cost_overrun?: SeverityFloor;
    secret_leak?: SeverityFloor;
  } | null;
  quiet_hours?: {
    enabled?: boolean;
    start?: string;
    end?: string;
    timezone?: string;
    severity_floor_during?: Severity;
  } | null;
  digest?: {
    enabled?: boolean;
    more_than?: number;
  } | null;
};

export type OpenClawAgent = {
  agent_id: string;
  instance_id: string | null;
  /** Its id in OpenClaw, such as `main` */
  external_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type OpenClawAgentPage = {
  items: OpenClawAgent[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type OpenClawInstance = {
  instance_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
};

export type OpenClawInstancePage = {
  items: OpenClawInstance[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Overview = {
  /** Time of the answer: `since` of the next visit */
  at: string;
  since: string;
  /** Each count stops here: it then stands for so many or more */
  most: number;
  traces: {
    /** False until the first span arrives */
    has_any: boolean;
    /** Started since `since` */
    new: number;
    /** Started and failed since `since` */
    failed: number;
    running: number;
    analysis_waiting: number;
    analysis_given_up: number;
  };
  issues: {
    open: number;
    /** Open and critical */
    critical: number;
    /** Open, and first seen since `since` */
    new: number;
  };
  detections: {
    /** Reported, withdrawn and false ones left out, since `since` */
    new: number;
  };
  healing: {
    pending_approval: number;
    /** Their outcome is to be checked */
    unknown: number;
  };
  imports: {
    active: number;
    /** Failed, or completed with errors, since `since` */
    failed: number;
  };
  alerts: {
    /** Deliveries that failed since `since` */
    failed: number;
  };
};

export type OwnThresholds = {
  /** How alike the arguments of two calls with the same answer must be to count as the same call; at the default only equal ones do */
  structural_threshold?: number;
  /** How alike two texts of a cycle must be to count as the same; at the default only equal ones do */
  semantic_threshold?: number;
  /** Steps looked back for a cycle */
  loop_detection_window?: number;
  /** Repetitions that make a loop */
  min_matches_for_loop?: number;
  /** Factor on what fires, never on the confidence reported; set, it stands above adaptation */
  confidence_scaling?: number;
  /** Share of the context window from which a load is a warning */
  context_warning_ratio?: number;
  /** Share of the context window from which a load is critical */
  context_critical_ratio?: number;
  /** Tokens a run may take; unset, there is no budget */
  token_budget?: number;
  /** Dollars a run may cost; unset, there is no budget */
  cost_budget_usd?: number;
  /** Steps a run may take; unset, there is no limit */
  max_steps?: number;
};

export type PlatformSync = {
  instance_id: string;
  name: string;
  /** `waiting`: it failed and is tried again at `next_run_at` */
  status: "never" | "idle" | "queued" | "running" | "waiting" | "failed";
  /** null: only when asked */
  every_minutes: number | null;
  failure: string | null;
  started_at: string | null;
  finished_at: string | null;
  next_run_at: string | null;
  /** In the pass under way, or the last one */
  executions_read: number;
  /** Of those, the ones that became traces */
  executions_taken: number;
  /** Of those, the ones that could not be read */
  executions_refused: number;
  /** Everything up to it was fetched */
  newest_execution_id: string | null;
};

/** RFC 9457 */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: "malformed" | "invalid_query" | "unauthenticated" | "quota_exceeded" | "forbidden" | "wrong_tenant" | "host_not_allowed" | "origin_not_allowed" | "not_found" | "route_not_found" | "method_not_allowed" | "conflict" | "invalid_transition" | "idempotency_conflict" | "vendor_not_configured" | "billing_not_configured" | "payload_too_large" | "unsupported_media_type" | "invalid_body" | "precondition_failed" | "precondition_required" | "request_timeout" | "rate_limited" | "backpressure" | "unavailable" | "storage_unavailable" | "database_newer" | "store_unusable" | "busy" | "usage" | "unreachable" | "internal";
  request_id: string;
  errors: FieldError[];
};

export type QualityAnalytics = {
  days: number;
  /** UTC day, e.g. 2026-01-31 */
  date_from: string;
  /** UTC day, e.g. 2026-01-31 */
  date_to: string;
  /** Traces that have a score */
  total: number;
  average: number | null;
  /** A score on a border belongs to the upper band; 100 to `90-100` */
  score_distribution: {
    "0-10": number;
    "10-20": number;
    "20-30": number;
    "30-40": number;
    "40-50": number;
    "50-60": number;
    "60-70": number;
    "70-80": number;
    "80-90": number;
    "90-100": number;
  };
  grades: {
    A: number;
    B: number;
    C: number;
    D: number;
    F: number;
  };
  /** Every day, oldest first; null where nothing was scored */
  trend: Array<{
    /** UTC day, e.g. 2026-01-31 */
    date: string;
    average: number | null;
    count: number;
  }>;
  /** Most frequent first, at most ten */
  top_detections: Array<{
    detection_type: DetectionType;
    count: number;
  }>;
};

export type Recommendation = {
  detector: string;
  subtype: string;
  /** `none` where there is too little to go by */
  action: "raise" | "lower" | "keep" | "none";
  recommended: number | null;
  /** The threshold that counts now, in traces of the framework that most samples are of */
  current: number;
  current_source: "override" | "adapted" | "calibrated";
  reason: string;
  samples: number;
  /** Samples that were real failures */
  real: number;
  /** The samples as they fire now */
  before: FeedbackFigures;
  /** The same samples at the recommended threshold */
  after: FeedbackFigures | null;
  /** Samples that fire under only one of the two thresholds */
  moved: {
    labelled: number;
    real: number;
  } | null;
  /** The request that applies it; nothing is changed before */
  apply: {
    method: "PUT";
    path: string;
    body: Record<string, number>;
  } | null;
};

export type RecordsResult = {
  accepted_records: number;
  rejected_records: number;
  trace_ids: string[];
  /** The first hundred */
  errors: FieldError[];
};

export type Registration = {
  registration_id: string;
  integration: "flowplatform" | "llmapps" | "graphruntime" | "agentsession";
  /** `instance`, `workflow`, `app`, … */
  kind: string;
  /** Registration that it belongs to */
  parent_id: string | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  /** What else is known of it */
  details: Record<string, unknown>;
};

export type RegistrationPage = {
  items: Registration[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Retention = {
  /** Days after their last span came; null: for ever */
  retention_days: number | null;
  /** Who says so: the tenant, the instance, or the plan, which allows no more */
  source: "tenant" | "default" | "plan";
  /** The most that the plan allows; null: any */
  plan_days: number | null;
};

export type RootCause = {
  agent: string | null;
  step: number;
  span_id: string;
  /** Estimate that exactly this step decided the failure */
  confidence: number;
  /** What the trace shows of the step, the strongest first */
  why: string[];
  /** The worst detection that names a step, which is always a later one; null where none names a step */
  shows_at: {
    step: number;
    title: string;
  } | null;
};

export type Session = {
  /** Null for the operator, who can read every tenant */
  tenant: {
    tenant_id: string;
    name: string;
  } | null;
  is_operator: boolean;
  scopes: Array<"ingest" | "read" | "write" | "admin">;
  /** The API key of the session; null for the session of an operator’s link */
  key_id: string | null;
  /** If the session is not used again; null without a session */
  expires_at: string | null;
  /** Of Misstep */
  version: string;
  /** Where people open the dashboard, without a final slash */
  web_address: string;
  features: InstanceFeatures;
};

export type SessionEnd = "completed" | "interrupted" | "refused" | "api_error" | "limit" | "unknown";

export type Severity = "critical" | "warning" | "info" | "observation";

export type SeverityFloor = {
  min_severity: Severity;
};

export type SignIn = {
  api_key: string;
} | {
  /** The part of a sign-in link after `#t=` */
  link_token: string;
};

export type SignInLink = {
  /** Opens the dashboard; works once. The token is in the fragment, which browsers do not send */
  url: string;
  expires_at: string;
};

export type Span = {
  span_id: string;
  parent_span_id: string | null;
  name: string;
  kind: number;
  /** Exact; as text, since JSON numbers are not */
  start_time_unix_nano: string;
  end_time_unix_nano: string | null;
  started_at: string | null;
  duration_ms: number | null;
  status: {
    code: number;
    message: string;
  };
  attributes: Record<string, unknown>;
  events: Array<{
    name: string;
    time_unix_nano: string;
    attributes: Record<string, unknown>;
  }>;
  links: Array<{
    trace_id: string;
    span_id: string;
    attributes: Record<string, unknown>;
  }>;
  resource: Record<string, unknown>;
  scope: {
    name: string;
    version: string;
  };
  step: Step | null;
};

export type SpanWindow = {
  trace_id: string;
  /** In order of steps */
  items: Span[];
  /** Spans of the trace */
  total: number;
  /** `from_step` of the next window; null at the end, or where ids were given */
  next_step: number | null;
  /** Ids that the trace does not have */
  missing: string[];
};

export type StateSnapshot = {
  sequence: number;
  span_id: string;
  agent_id: string | null;
  node: string | null;
  checkpoint_id: string | null;
  thread_id: string | null;
  state: unknown;
  delta: unknown;
  state_hash: string;
  token_count: number | null;
  latency_ms: number | null;
  created_at: string | null;
};

export type Step = {
  index: number;
  kind: string;
  agent_id: string | null;
  node: string | null;
  depth: number;
  input: string;
  output: string;
  input_messages: Message[];
  output_messages: Message[];
  tool: {
    id: string | null;
    name: string;
    arguments: unknown;
    result: unknown;
  } | null;
  model: string | null;
  provider: string | null;
  tokens: TokenUsage;
  cost_usd: number | null;
  finish_reasons: string[];
  goto: string[];
  error: {
    type: string;
    message: string;
  } | null;
};

export type SubtypeStatus = {
  subtype: string;
  /** Previews are kept as observations unless you switch the detector on */
  maturity: "fact" | "measured" | "preview";
  /** Whether a failing run is one that missed its goal, or one that was attacked; null where nothing was counted. */
  counted_against: "outcome" | "attacks" | null;
  /** Run sources that were looked at while the rule was chosen; null where that was not recorded */
  rule_chosen_on: string[] | null;
  /** Healthy runs of all other sources */
  left_out_healthy: FiredRuns | null;
  left_out_failing: FiredRuns | null;
  /** Share of failing runs among the left-out runs with the detection */
  outcome_precision: number | null;
  outcome_precision_interval: Interval | null;
  /** What that share would be if it fired regardless of the outcome */
  base_rate: number | null;
  /** Why a preview is not `measured` */
  not_measured_because: string | null;
};

export type Tenant = {
  /** `ten_…` */
  tenant_id: string;
  name: string;
  created_at: string;
};

export type TenantPage = {
  items: Tenant[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type ThresholdChange = {
  structural_threshold?: number | null;
  semantic_threshold?: number | null;
  loop_detection_window?: number | null;
  min_matches_for_loop?: number | null;
  confidence_scaling?: number | null;
  context_warning_ratio?: number | null;
  context_critical_ratio?: number | null;
  token_budget?: number | null;
  cost_budget_usd?: number | null;
  max_steps?: number | null;
};

export type ThresholdDifference = {
  total: number;
  by_detector: Array<{
    detector: string;
    count: number;
  }>;
  /** The first of them, newest traces first */
  examples: Array<{
    trace_id: string;
    detection_type: string;
    subtype: string;
    severity: string;
    confidence: number;
  }>;
};

export type ThresholdValues = {
  structural_threshold: number | null;
  semantic_threshold: number | null;
  loop_detection_window: number | null;
  min_matches_for_loop: number | null;
  confidence_scaling: number | null;
  context_warning_ratio: number | null;
  context_critical_ratio: number | null;
  token_budget: number | null;
  cost_budget_usd: number | null;
  max_steps: number | null;
};

export type Thresholds = {
  structural_threshold: number | null;
  semantic_threshold: number | null;
  loop_detection_window: number | null;
  min_matches_for_loop: number | null;
  confidence_scaling: number | null;
  context_warning_ratio: number | null;
  context_critical_ratio: number | null;
  token_budget: number | null;
  cost_budget_usd: number | null;
  max_steps: number | null;
  /** What the tenant set for all its traces */
  global: OwnThresholds;
  /** What it set for traces of one framework */
  frameworks: Record<string, OwnThresholds>;
};

export type TokenUsage = {
  input: number | null;
  output: number | null;
  total: number | null;
  cache_read: number | null;
  cache_write: number | null;
  reasoning: number | null;
};

export type Trace = {
  trace_id: string;
  framework: string;
  service_name: string | null;
  name: string;
  task: string | null;
  status: TraceStatus;
  session_id: string | null;
  thread_id: string | null;
  started_at: string;
  ended_at: string | null;
  duration_ms: number | null;
  span_count: number;
  state_count: number;
  agent_ids: string[];
  total_tokens: number;
  cost_usd: number | null;
  models: string[];
  detection_count: number;
  max_severity: Severity | null;
  quality_score: number | null;
  grade: Grade | null;
  /** Share of the runs of the same service, framework and set of agents that show less trouble, over 30 days; null for fewer than 30 such runs and before the run has settled. It orders runs and is no probability of failure */
  failure_rank: number | null;
  /** Of a coding agent's session, as are project, branch and ended_by */
  title: string | null;
  /** Root folder of the project */
  project: string | null;
  branch: string | null;
  /** Null for a trace that is no session of a coding agent */
  ended_by: SessionEnd | null;
  /** The figures and detections cover every span that came */
  analyzed: boolean;
  analysis: TraceAnalysis;
  final_output: string | null;
  /** Where the failure may have begun, before the detections; null where that adds nothing to them */
  root_cause: RootCause | null;
  /** Where to look in a run without detections that ended with an error, or whose `failure_rank` is at least 0.9: at most three steps; empty for every other run */
  leads: Lead[];
  /** In order of steps; empty where `include` leaves them out */
  spans: Span[];
  /** In order; empty where `include` leaves them out */
  states: StateSnapshot[];
};

export type TraceAnalysis = {
  /** partial: detectors were left out; given_up: it failed again and again, reanalyze retries it */
  state: "pending" | "complete" | "partial" | "given_up";
  /** Why it was given up */
  reason: string | null;
  /** When it was given up */
  at: string | null;
  /** Detectors that did not finish */
  left_out: Array<{
    detector: string;
    reason: string;
  }>;
};

export type TraceFacet = {
  /** The most frequent first */
  values: Array<{
    /** What the filter of this facet takes */
    value: string;
    /** What is shown: the name of a workflow, else the value */
    label: string;
    count: number;
  }>;
  /** Further values */
  others: number;
  /** Traces that have no value */
  without: number;
};

export type TraceFacets = {
  /** Traces that fit the filter, among those that were counted */
  counted: number;
  /** False where only the newest 50,000 traces were counted */
  is_complete: boolean;
  /** Counts of a facet leave out its own filter: they are what another choice of it would give */
  facets: {
    status: TraceFacet;
    framework: TraceFacet;
    agent: TraceFacet;
    model: TraceFacet;
    severity: TraceFacet;
    grade: TraceFacet;
    workflow: TraceFacet;
  };
};

export type TraceFind = {
  trace_id: string;
  /** In order of steps; the first place in each field */
  items: Array<{
    span_id: string;
    step: number;
    /** `name`, `agent`, `model`, `tool`, `arguments`, `result`, `input`, `output`, `error`, `messages/<index>`, `attributes/<key>` */
    field: string;
    /** As it is stored: redacted */
    snippet: {
      before: string;
      match: string;
      after: string;
    };
  }>;
  /** Steps that this answer covers */
  searched_steps: number;
  total_steps: number;
  /** `from_step` of the next part; null at the end of the trace. A part may have no items */
  next_step: number | null;
};

export type TraceGraph = {
  trace_id: string;
  /** In order of first use, at most 200 */
  nodes: Array<{
    id: string;
    /** `run`: what no agent did */
    kind: "agent" | "tool" | "run";
    /** Null for the node that stands for all further ones of its kind */
    name: string | null;
    /** 1, or the number of agents or tools that the node stands for */
    members: number;
    steps: number;
    /** Steps that failed */
    errors: number;
    tokens: number;
    cost_usd: number | null;
    /** Null for an agent that was named and never acted */
    first_step: number | null;
  }>;
  /** The most frequent first, at most 1000 */
  edges: Array<{
    from: string;
    to: string;
    /** `call`: of a tool; `delegation`: an agent runs inside of another one; `handoff`: an agent acts after another one, or was named as the next */
    kind: "call" | "delegation" | "handoff";
    count: number;
    /** Calls that failed, or hand-offs to an agent that did not act */
    errors: number;
    first_step: number;
  }>;
  edges_left_out: number;
  /** What was joined or left out; null where nothing was */
  note: string | null;
};

export type TraceHistogram = {
  /** Length of a bucket; buckets begin at whole multiples of it since 1970 */
  step_ms: number;
  total: number;
  /** In order of time and without holes; empty where no trace fits */
  buckets: Array<{
    start: string;
    running: number;
    ok: number;
    error: number;
  }>;
};

export type TraceOutline = {
  trace_id: string;
  /** Number of steps: the length of each column */
  total: number;
  /** Microseconds since 1970 of the first step that has a time; as text */
  base_unix_us: string;
  names: string[];
  kinds: string[];
  agents: string[];
  models: string[];
  columns: {
    span_id: string[];
    /** How many steps before this one its parent stands; 0 for a step without parent */
    parent: number[];
    /** Index into `names`; -1 where there is none */
    name: number[];
    /** One digit a step: index into `kinds` */
    kind: string;
    /** Index into `agents`; -1 where there is none */
    agent: number[];
    /** Index into `models`; -1 where there is none */
    model: number[];
    /** Microseconds from the start of the step before that has one, or from the base; null without a time */
    start_us: Array<number | null>;
    /** Null where no end was sent */
    duration_us: Array<number | null>;
    /** One digit a step: 0 unset, 1 ok, 2 error */
    status: string;
    /** Total of the step itself, 0 where unknown */
    tokens: number[];
    /** Steps of one parent with the same kind, name, agent, tool and names of arguments have the same number; 0 for a step that has no like */
    repeat: number[];
  };
};

export type TraceStatus = "running" | "ok" | "error";

export type TraceSummary = {
  trace_id: string;
  framework: string;
  service_name: string | null;
  name: string;
  task: string | null;
  status: TraceStatus;
  session_id: string | null;
  thread_id: string | null;
  started_at: string;
  ended_at: string | null;
  duration_ms: number | null;
  span_count: number;
  state_count: number;
  agent_ids: string[];
  total_tokens: number;
  cost_usd: number | null;
  models: string[];
  detection_count: number;
  max_severity: Severity | null;
  quality_score: number | null;
  grade: Grade | null;
  /** Share of the runs of the same service, framework and set of agents that show less trouble, over 30 days; null for fewer than 30 such runs and before the run has settled. It orders runs and is no probability of failure */
  failure_rank: number | null;
  /** Of a coding agent's session, as are project, branch and ended_by */
  title: string | null;
  /** Root folder of the project */
  project: string | null;
  branch: string | null;
  /** Null for a trace that is no session of a coding agent */
  ended_by: SessionEnd | null;
  /** The figures and detections cover every span that came */
  analyzed: boolean;
  analysis: TraceAnalysis;
};

export type TraceSummaryPage = {
  items: TraceSummary[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type Turn = {
  /** Zero-based; `step` of detections counts the same */
  turn: number;
  /** As sent */
  role: string;
  participant: string;
  /** Pictures, sound and files are placeholders such as `[image]` */
  content: string;
  /** What was asked for; in the turn of a tool the call it answers */
  tool_calls: Array<{
    id: string | null;
    name: string;
    arguments: unknown;
  }>;
  tokens: number;
  /** Nothing was reported: counted by a rule of thumb */
  tokens_estimated: boolean;
  /** Up to and with this turn */
  accumulated_tokens: number;
  created_at: string | null;
};

export type VendorDashboard = {
  title: string;
  description: string;
  layout_type: "ordered";
  /** Widgets then have no layout of their own */
  reflow_type: "auto";
  notify_list: string[];
  template_variables: Array<{
    name: string;
    prefix: string;
    defaults: string[];
  }>;
  widgets: Array<{
    definition: {
      type: "timeseries";
      title: string;
      show_legend: boolean;
      requests: Array<{
        formulas: Array<{
          formula: string;
          alias?: string;
        }>;
        queries: Array<{
          data_source: "metrics";
          name: string;
          query: string;
          aggregator?: "avg" | "min" | "max" | "sum" | "last";
        }>;
        response_format: "timeseries";
        display_type: "area" | "bars" | "line" | "overlay";
      }>;
    } | {
      type: "query_value";
      title: string;
      autoscale: boolean;
      precision: number;
      requests: Array<{
        formulas: Array<{
          formula: string;
          alias?: string;
        }>;
        queries: Array<{
          data_source: "metrics";
          name: string;
          query: string;
          aggregator?: "avg" | "min" | "max" | "sum" | "last";
        }>;
        response_format: "scalar";
      }>;
    };
  }>;
};

export type WebhookAccess = {
  /** Address for webhooks that can neither sign nor send a key; shown once */
  path: string;
  /** Key of `X-SVC-Signature`; shown once */
  secret: string;
};

export type WebhookChannel = {
  enabled: boolean;
  /** Masked; PUT of the mask keeps the URL */
  webhook_url: string | null;
  status: ChannelStatus;
};

export type Workflow = {
  workflow_id: string;
  /** Framework of its runs */
  source: string;
  service_name: string | null;
  name: string;
  trace_count: number;
  /** Mean number of steps in a run */
  complexity: number;
  average_score: number | null;
  /** Of the mean score; null while no run has one */
  grade: "A" | "B" | "C" | "D" | "F" | null;
  total_tokens: number;
  cost_usd: number;
  /** Start of its newest run */
  last_seen_at: string;
  group_id: string | null;
  /** How it came into its group */
  assignment: "manual" | "automatic" | null;
};

export type WorkflowGroup = {
  group_id: string;
  name: string;
  description: string | null;
  color: string | null;
  rules: WorkflowGroupRules | null;
  workflow_count: number;
  trace_count: number;
  average_score: number | null;
  /** Of the mean score; null while no run has one */
  grade: "A" | "B" | "C" | "D" | "F" | null;
  created_at: string;
  updated_at: string;
};

export type WorkflowGroupCondition = {
  field: "name";
  operator: "matches";
  value: string;
} | {
  field: "name";
  operator: "eq" | "ne" | "contains" | "starts_with" | "ends_with";
  value: string;
} | {
  field: "source";
  operator: "eq" | "ne";
  value: string;
} | {
  field: "source";
  operator: "in";
  value: string[];
} | {
  field: "complexity";
  operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
  /** Mean number of steps in a run */
  value: number;
} | {
  field: "grade";
  /** `gte` B: B or better */
  operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte";
  value: "A" | "B" | "C" | "D" | "F";
} | {
  field: "grade";
  operator: "in";
  value: Array<"A" | "B" | "C" | "D" | "F">;
};

export type WorkflowGroupPage = {
  items: WorkflowGroup[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type WorkflowGroupRules = {
  match: "all" | "any";
  conditions: WorkflowGroupCondition[];
};

export type WorkflowGroupRulesInput = {
  match?: "all" | "any";
  conditions: WorkflowGroupCondition[];
};

export type WorkflowPage = {
  items: Workflow[];
  /** Number of all items that match */
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type RootInput = Record<string, never>;

export type RootOutput = {
  name: string;
  version: string;
  api: string;
  openapi: string;
  docs: string;
  ui: string;
};

export type LangfuseHealthInput = Record<string, never>;

export type LangfuseHealthOutput = Record<string, unknown>;

export type LangfuseIngestionInput = {
  /** Events. At most 16 MiB, also once unpacked, and 500000 values and member names */
  body: {
    batch: Array<Record<string, unknown>>;
  };
};

export type LangfuseIngestionOutput = {
  successes: Array<{
    id: string;
    status: number;
  }>;
  errors: Array<{
    id: string;
    status: number;
  }>;
};

export type LangfuseOtlpInput = {
  /** OTLP ExportTraceServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB unpacked */
  body: {
    resourceSpans: unknown[];
  } | RawBody;
};

export type LangfuseOtlpOutput = unknown;

export type AgentsessionRegisterAgentInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    instance_id?: string | null;
    /** Its id in OpenClaw, such as `main` */
    external_id: string;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type AgentsessionRegisterAgentOutput = {
  agent_id: string;
  instance_id: string | null;
  /** Its id in OpenClaw, such as `main` */
  external_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type AgentsessionListAgentsInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type AgentsessionListAgentsOutput = OpenClawAgentPage;

export type AgentsessionRegisterInstanceInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    url?: string | null;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type AgentsessionRegisterInstanceOutput = {
  instance_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type AgentsessionListInstancesInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type AgentsessionListInstancesOutput = OpenClawInstancePage;

export type AgentsessionStreamInput = Record<string, never>;

export type AgentsessionStreamOutput = Response;

export type AgentsessionWebhookInput = {
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type AgentsessionWebhookOutput = IngestResult;

export type AgentsessionWebhookTokenInput = {
  /** Of one registration, which it was shown with */
  token: string;
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type AgentsessionWebhookTokenOutput = IngestResult;

export type AuditListInstanceInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  /** Id of an operation, or its noun: `healing`, `healing.execute` */
  action?: string;
  actor?: string;
  object_id?: string;
  /** Inclusive */
  date_from?: DateOrTime;
  /** Exclusive */
  date_to?: DateOrTime;
};

export type AuditListInstanceOutput = AuditEntryPage;

export type SessionsCreateInput = {
  /** At most 8 KiB, also once unpacked, and 200 values and member names */
  body: SignIn;
};

export type SessionsCreateOutput = Session;

export type SessionsGetInput = Record<string, never>;

export type SessionsGetOutput = Session;

export type SessionsDeleteInput = Record<string, never>;

export type SessionsDeleteOutput = undefined;

export type SignInLinksCreateOperatorInput = Record<string, never>;

export type SignInLinksCreateOperatorOutput = SignInLink;

export type TokensRotateSigningKeyInput = Record<string, never>;

export type TokensRotateSigningKeyOutput = {
  kid: string;
  created_at: string;
};

export type TenantsCreateInput = {
  /** At most 8 KiB, also once unpacked, and 200 values and member names */
  body: {
    name: string;
  };
};

export type TenantsCreateOutput = CreatedTenant;

export type TokensCreateInput = {
  /** At most 8 KiB, also once unpacked, and 200 values and member names */
  body: {
    api_key: string;
  };
};

export type TokensCreateOutput = {
  /** JWT, sent as `Authorization: Bearer` */
  access_token: string;
  token_type: "Bearer";
  /** Seconds */
  expires_in: number;
};

export type BenchmarksListInput = Record<string, never>;

export type BenchmarksListOutput = {
  /** Day of the evaluation */
  measured_at: string | null;
  /** Part of the public sets that was measured */
  split: string;
  total: number;
  items: Array<{
    mode: string;
    name: string;
    mast_codes: string[];
    detectors: string[];
    tier: DetectorTier;
    /** Recall of the detectors together */
    detection_rate: number | null;
    interval: Interval | null;
    /** Null where no labelled data exist */
    data_set: string | null;
    /** What had seen the data before: `as shipped` is no held-out figure */
    basis: "as shipped" | "out-of-fold" | "set left out" | "never fitted" | "in-sample" | null;
    /** What in the labels counts as the fault, and what as saying so */
    counted_as_real: string | null;
    unit: "run" | "text" | null;
    sample_count: number;
    positive_count: number;
  }>;
};

export type BillingCheckoutInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    plan: "pro" | "team" | "enterprise";
    /** Needed where the instance has no return address */
    success_url?: string;
    cancel_url?: string;
  };
};

export type BillingCheckoutOutput = {
  session_id: string;
  checkout_url: string;
  expires_at: string;
};

export type BillingPlansInput = Record<string, never>;

export type BillingPlansOutput = {
  configured: boolean;
  currency: "usd";
  items: Array<{
    plan: "free" | "pro" | "team" | "enterprise";
    quotas: {
      /** New traces a UTC day; null is without bound */
      traces_per_day: number | null;
      /** Traces are kept no longer */
      retention_days: number | null;
      /** Keys with the scope write or admin */
      seats: number | null;
    };
    /** Null where the operator does not tell it */
    price_per_month: number | null;
    can_buy: boolean;
  }>;
  total: number;
};

export type BillingPortalInput = {
  return_url?: string;
};

export type BillingPortalOutput = {
  portal_url: string;
};

export type BillingStatusInput = Record<string, never>;

export type BillingStatusOutput = {
  configured: boolean;
  /** In force now */
  plan: "free" | "pro" | "team" | "enterprise" | "unlimited";
  subscription: {
    plan: "free" | "pro" | "team" | "enterprise";
    /** As the payment provider says it */
    status: string;
    current_period_end: string | null;
    cancel_at_period_end: boolean;
  } | null;
  quotas: {
    /** New traces a UTC day; null is without bound */
    traces_per_day: number | null;
    /** Traces are kept no longer */
    retention_days: number | null;
    /** Keys with the scope write or admin */
    seats: number | null;
  };
  usage: {
    traces_today: number;
    /** Keys with the scope write or admin */
    seats: number;
  };
};

export type BillingPaymentWebhookInput = {
  /** At most 1 MiB, also once unpacked, and 50000 values and member names */
  body: Record<string, unknown>;
};

export type BillingPaymentWebhookOutput = {
  received: true;
  /** Concerns a tenant of this instance */
  handled: boolean;
  duplicate: boolean;
};

export type DiagnosticsDetectorStatusInput = Record<string, never>;

export type DiagnosticsDetectorStatusOutput = {
  /** Day of the evaluation */
  measured_at: string | null;
  /** Part of the public sets that was measured */
  split: string;
  total: number;
  items: Array<{
    detector: string;
    tier: DetectorTier;
    f1: number | null;
    f1_interval: Interval | null;
    precision: number | null;
    precision_interval: Interval | null;
    recall: number | null;
    recall_interval: Interval | null;
    /** Null where no labelled data exist */
    data_set: string | null;
    /** What had seen the data before: `as shipped` is no held-out figure */
    basis: "as shipped" | "out-of-fold" | "set left out" | "never fitted" | "in-sample" | null;
    /** What in the labels counts as the fault, and what as saying so */
    counted_as_real: string | null;
    unit: "run" | "text" | null;
    sample_count: number;
    positive_count: number;
    /** The same on other data */
    further: Array<{
      f1: number | null;
      f1_interval: Interval | null;
      precision: number | null;
      precision_interval: Interval | null;
      recall: number | null;
      recall_interval: Interval | null;
      /** Null where no labelled data exist */
      data_set: string | null;
      /** What had seen the data before: `as shipped` is no held-out figure */
      basis: "as shipped" | "out-of-fold" | "set left out" | "never fitted" | "in-sample" | null;
      /** What in the labels counts as the fault, and what as saying so */
      counted_as_real: string | null;
      unit: "run" | "text" | null;
      sample_count: number;
      positive_count: number;
    }>;
    /** Share of runs with a finding of `warning` or higher */
    healthy_flag_rate: FlagRate | null;
    /** Share of runs with a finding of `warning` or higher */
    failing_flag_rate: FlagRate | null;
    subtypes: SubtypeStatus[];
  }>;
};

export type FlowplatformDiscoverInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    /** A registered instance; all where left out */
    instance_id?: string | null;
  };
};

export type FlowplatformDiscoverOutput = {
  items: DiscoveredWorkflow[];
  total: number;
  /** There are more than the first 2,000 */
  is_cut: boolean;
  /** Instances that could not be asked, and why */
  problems: Array<{
    instance_id: string;
    message: string;
  }>;
};

export type FlowplatformRegisterInstanceInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    /** http:// or https://, without user name and password */
    url: string;
    /** How often its executions are fetched; null: only when asked */
    sync_every_minutes?: number | null;
    /** Alerts about what came since the last fetch, as if it came live; the first fetch is history */
    sync_alerts?: boolean | null;
    /** Of n8n’s public API; kept sealed, never shown */
    api_key?: string;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type FlowplatformRegisterInstanceOutput = {
  instance_id: string;
  /** How often its executions are fetched; null: only when asked */
  sync_every_minutes?: number | null;
  /** Alerts about what came since the last fetch, as if it came live; the first fetch is history */
  sync_alerts?: boolean | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type FlowplatformListInstancesInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type FlowplatformListInstancesOutput = N8nInstancePage;

export type FlowplatformStreamInput = Record<string, never>;

export type FlowplatformStreamOutput = Response;

export type FlowplatformSyncInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    /** A registered instance; all where left out */
    instance_id?: string | null;
    /** Leaves runs that began before, and fetches the others anew */
    since?: DateOrTime;
    /** Fetches all anew */
    full?: boolean;
    /** Alerts about what is found as if it came live */
    alert?: boolean;
  };
};

export type FlowplatformSyncOutput = {
  items: PlatformSync[];
  total: number;
};

export type FlowplatformSyncStatusInput = Record<string, never>;

export type FlowplatformSyncStatusOutput = {
  items: PlatformSync[];
  total: number;
};

export type FlowplatformWebhookInput = {
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type FlowplatformWebhookOutput = IngestResult;

export type FlowplatformWebhookTokenInput = {
  /** Of one registration, which it was shown with */
  token: string;
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type FlowplatformWebhookTokenOutput = IngestResult;

export type FlowplatformRegisterWorkflowInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    instance_id?: string | null;
    /** Its id in n8n */
    external_id: string;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type FlowplatformRegisterWorkflowOutput = {
  registration_id: string;
  instance_id: string | null;
  /** Its id in n8n */
  external_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type FlowplatformListWorkflowsInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type FlowplatformListWorkflowsOutput = N8nWorkflowPage;

export type GraphruntimeRegisterAssistantInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    /** A registered deployment */
    deployment_id: string;
    /** Name of the graph in `langgraph.json` */
    graph_id: string;
    /** Its id in LangGraph; null: the graph’s own assistant */
    external_id?: string | null;
  };
};

export type GraphruntimeRegisterAssistantOutput = LangGraphAssistant;

export type GraphruntimeListAssistantsInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type GraphruntimeListAssistantsOutput = LangGraphAssistantPage;

export type GraphruntimeRegisterDeploymentInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    /** http:// or https://, without user name and password */
    url: string;
    /** Sent as `x-api-key`; kept sealed, never shown */
    api_key?: string;
    /** Sent as `Authorization`, for a server with a door of its own */
    authorization?: string;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type GraphruntimeRegisterDeploymentOutput = {
  deployment_id: string;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type GraphruntimeListDeploymentsInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type GraphruntimeListDeploymentsOutput = LangGraphDeploymentPage;

export type GraphruntimeFetchesInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type GraphruntimeFetchesOutput = GraphruntimeFetchPage;

export type GraphruntimeStreamInput = Record<string, never>;

export type GraphruntimeStreamOutput = Response;

export type GraphruntimeWebhookInput = {
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type GraphruntimeWebhookOutput = IngestResult;

export type GraphruntimeWebhookTokenInput = {
  /** Of one registration, which it was shown with */
  token: string;
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type GraphruntimeWebhookTokenOutput = IngestResult;

export type HealthInput = Record<string, never>;

export type HealthOutput = Health;

export type ImportJobsListInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  status?: "queued" | "processing" | "completed" | "completed_with_errors" | "failed" | "cancelled";
  /** Only of a file with this content */
  sha256?: string;
};

export type ImportJobsListOutput = ImportJobPage;

export type ImportJobsCreateInput = {
  format?: "misstep-spans" | "misstep-export" | "otlp-json" | "trail" | "openai-agents" | "langsmith" | "langfuse" | "opencode-export" | "gemini-chat" | "cline-session" | "swe-agent" | "phoenix" | "langgraph-run" | "langgraph-history" | "n8n" | "dify" | "openclaw" | "hooks" | "records" | "plain-spans" | "taxonomy-data" | "chat-completions-a" | "chat-completions-b" | "generic" | "pi-session" | "copilot-events" | "qwen-transcript" | "claude-transcript" | "codex-rollout" | "otlp-protobuf";
  /** Also alert about what is found: an import is history, which alerts nobody */
  alert?: boolean;
  file_name?: string;
  /** At most 100 MB as sent; may be gzip, and then unpack to 1 GB */
  body: unknown;
};

export type ImportJobsCreateOutput = ImportJob;

export type ImportJobsGetInput = {
  import_job_id: string;
};

export type ImportJobsGetOutput = ImportJob;

export type ImportJobsDeleteInput = {
  import_job_id: string;
};

export type ImportJobsDeleteOutput = undefined;

export type ImportJobsResultsInput = {
  import_job_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
};

export type ImportJobsResultsOutput = ImportResults;

export type IntegrationsListInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  integration?: "flowplatform" | "llmapps" | "graphruntime" | "agentsession";
  kind?: string;
};

export type IntegrationsListOutput = RegistrationPage;

export type IntegrationsGetInput = {
  registration_id: string;
};

export type IntegrationsGetOutput = Registration;

export type IntegrationsChangeInput = {
  registration_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    name?: string;
    description?: string | null;
    url?: string | null;
    details?: Record<string, unknown>;
    /** null forgets one */
    credentials?: Record<string, string | null>;
    signed?: boolean;
    /** As for registering; of the kinds that have it */
    sync_every_minutes?: unknown;
    /** As for registering; of the kinds that have it */
    sync_alerts?: unknown;
    /** A credential; null forgets it */
    api_key?: string | null;
    /** As for registering; of the kinds that have it */
    external_id?: unknown;
    /** A registered instance */
    instance_id?: string | null;
    /** A credential; null forgets it */
    authorization?: string | null;
    /** As for registering; of the kinds that have it */
    graph_id?: unknown;
    /** A registered deployment */
    deployment_id?: string | null;
  };
};

export type IntegrationsChangeOutput = Registration;

export type IntegrationsRemoveInput = {
  registration_id: string;
};

export type IntegrationsRemoveOutput = undefined;

export type IntegrationsRotateWebhookInput = {
  registration_id: string;
};

export type IntegrationsRotateWebhookOutput = {
  registration_id: string;
  integration: "flowplatform" | "llmapps" | "graphruntime" | "agentsession";
  /** `instance`, `workflow`, `app`, … */
  kind: string;
  /** Registration that it belongs to */
  parent_id: string | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  /** What else is known of it */
  details: Record<string, unknown>;
  webhook: WebhookAccess;
};

export type LlmappsRegisterAppInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    instance_id?: string | null;
    /** Its id in Dify */
    external_id?: string | null;
    /** Of the app’s service API; kept sealed, never shown */
    api_key?: string;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type LlmappsRegisterAppOutput = {
  app_id: string;
  instance_id: string | null;
  /** Its id in Dify */
  external_id?: string | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type LlmappsListAppsInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type LlmappsListAppsOutput = DifyAppPage;

export type LlmappsRegisterInstanceInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    /** http:// or https://, without user name and password */
    url: string;
    /** How often summaries of the runs of its apps are fetched; null: only when asked */
    sync_every_minutes?: number | null;
    /** Alerts about what came since the last fetch, as if it came live; the first fetch is history */
    sync_alerts?: boolean | null;
    /** Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce */
    signed?: boolean;
  };
};

export type LlmappsRegisterInstanceOutput = {
  instance_id: string;
  /** How often summaries of the runs of its apps are fetched; null: only when asked */
  sync_every_minutes?: number | null;
  /** Alerts about what came since the last fetch, as if it came live; the first fetch is history */
  sync_alerts?: boolean | null;
  name: string;
  description: string | null;
  /** Where Misstep finds it */
  url: string | null;
  /** Which credentials are stored; what they are is never shown */
  credentials: string[];
  /** Whether its webhooks need a signature */
  signed: boolean;
  /** When the last webhook with its token or secret came */
  last_event_at: string | null;
  created_at: string;
  updated_at: string;
  webhook: WebhookAccess;
};

export type LlmappsListInstancesInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type LlmappsListInstancesOutput = DifyInstancePage;

export type LlmappsStreamInput = Record<string, never>;

export type LlmappsStreamOutput = Response;

export type LlmappsSyncInput = {
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    /** A registered app; all that have a key where left out */
    app_id?: string | null;
    /** Leaves runs that began before, and fetches the others anew */
    since?: DateOrTime;
    /** Fetches all anew */
    full?: boolean;
    /** Alerts about what is found as if it came live */
    alert?: boolean;
  };
};

export type LlmappsSyncOutput = {
  items: DifyAppSync[];
  total: number;
};

export type LlmappsSyncStatusInput = Record<string, never>;

export type LlmappsSyncStatusOutput = {
  items: DifyAppSync[];
  total: number;
};

export type LlmappsWebhookInput = {
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type LlmappsWebhookOutput = IngestResult;

export type LlmappsWebhookTokenInput = {
  /** Of one registration, which it was shown with */
  token: string;
  /** What the platform sends, as JSON under any content type. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: unknown;
};

export type LlmappsWebhookTokenOutput = IngestResult;

export type MetricsInput = Record<string, never>;

export type MetricsOutput = string;

export type MetricsJsonInput = Record<string, never>;

export type MetricsJsonOutput = Array<{
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram" | "summary";
  values: Array<Record<string, unknown>>;
}>;

export type MetricsVendorDashboardInput = Record<string, never>;

export type MetricsVendorDashboardOutput = VendorDashboard;

export type MetricsFlushVendorInput = Record<string, never>;

export type MetricsFlushVendorOutput = {
  /** Taken by the vendor */
  series: number;
  requests: number;
  /** Sent more than 50 minutes ago without an answer; not sent again */
  unanswered: number;
};

export type SecurityCalculateCostInput = {
  /** At most 8 MiB, also once unpacked, and 10000 values and member names */
  body: {
    text: string;
    /** As a sender names it, provider-qualified or dated names too */
    model: string;
  };
};

export type SecurityCalculateCostOutput = {
  model: string;
  /** Estimated */
  input_tokens: number;
  cost_usd: number;
  price: {
    input_per_million_usd: number | null;
    output_per_million_usd: number | null;
  };
  as_of: string;
};

export type SecurityCheckHallucinationInput = {
  /** At most 8 MiB, also once unpacked, and 10000 values and member names */
  body: {
    output: string;
    sources: string[];
  };
};

export type SecurityCheckHallucinationOutput = {
  is_hallucination: boolean;
  confidence: number;
  /** Null where output and sources cannot be compared */
  grounding_score: number | null;
  sentences: Array<{
    text: string;
    supported: boolean;
    score: number;
    missing: string[];
  }>;
  explanation: string;
};

export type SecurityCheckInjectionInput = {
  /** At most 8 MiB, also once unpacked, and 10000 values and member names */
  body: {
    text: string;
    /** `user`: what a person says to the model. `data`: what tools or documents bring. Guessed where absent */
    channel?: "user" | "data";
  };
};

export type SecurityCheckInjectionOutput = {
  is_injection: boolean;
  /** Probability of an attack, where attacks and ordinary texts are equally frequent */
  confidence: number;
  /** From 0.5 on a text is called an injection */
  score: number;
  channel: "user" | "data";
  attack_type: string | null;
  severity: Severity | null;
  matches: Array<{
    start: number;
    end: number;
    quote: string;
    why: string;
  }>;
  explanation: string;
};

export type SecurityModelsInput = Record<string, never>;

export type SecurityModelsOutput = {
  as_of: string;
  items: Array<{
    model: string;
    provider: string;
    context_window: number | null;
    input_per_million_usd: number | null;
    output_per_million_usd: number | null;
  }>;
  total: number;
};

export type SecurityCheckOverflowInput = {
  /** At most 8 MiB, also once unpacked, and 10000 values and member names */
  body: {
    text: string;
    /** As a sender names it, provider-qualified or dated names too */
    model: string;
  };
};

export type SecurityCheckOverflowOutput = {
  /** Estimated */
  tokens: number;
  context_window: number;
  utilization: number;
  /** By the tenant’s context_warning_ratio and context_critical_ratio */
  risk: "ok" | "warning" | "critical";
  recommendation: string;
};

export type ThresholdsDefaultsInput = Record<string, never>;

export type ThresholdsDefaultsOutput = DefaultThresholds;

export type TenantsListInput = {
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type TenantsListOutput = TenantPage;

export type TenantsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type TenantsGetOutput = Tenant;

export type TenantsDeleteInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type TenantsDeleteOutput = undefined;

export type AgentsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type AgentsListOutput = Agent[];

export type AgentsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  agent_id: string;
  /** Days of detections, 1 to 365 */
  days?: number;
};

export type AgentsGetOutput = AgentDetail;

export type AlertsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  state?: "held" | "sent" | "dropped";
  issue_id?: string;
};

export type AlertsListOutput = AlertPage;

export type AnalyticsCostInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** UTC days up to today, 1 to 365 */
  days?: number;
};

export type AnalyticsCostOutput = CostAnalytics;

export type AnalyticsLoopsInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** UTC days up to today, 1 to 365 */
  days?: number;
};

export type AnalyticsLoopsOutput = LoopAnalytics;

export type AnalyticsQualityInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** UTC days up to today, 1 to 365 */
  days?: number;
};

export type AnalyticsQualityOutput = QualityAnalytics;

export type AnalyticsRebuildInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type AnalyticsRebuildOutput = {
  /** Traces that stand in the figures */
  traces: number;
  /** Of them those that did not before */
  added: number;
};

export type AnalyticsSeriesInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** UTC days up to today, 1 to 365 */
  days?: number;
  /** `duration` and `score` are means over the runs that began in a step; the others are sums */
  metric: "runs" | "errors" | "cost" | "tokens" | "duration" | "score" | "detections";
  /** What runs are grouped by */
  by?: "none" | "status" | "framework" | "service" | "workflow" | "agent" | "model" | "detection_type";
  /** `hour` for at most 14 days */
  step?: "hour" | "day";
  /** Groups with a series of their own, 1 to 50 */
  top?: number;
};

export type AnalyticsSeriesOutput = AnalyticsSeries;

export type ApiKeysListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type ApiKeysListOutput = ApiKeyPage;

export type ApiKeysCreateInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    scopes: Array<"ingest" | "read" | "write" | "admin">;
    /** RFC 3339; left out, the key never ends */
    expires_at?: string | null;
  };
};

export type ApiKeysCreateOutput = CreatedApiKey;

export type ApiKeysRevokeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  key_id: string;
};

export type ApiKeysRevokeOutput = undefined;

export type ApiKeysRotateInput = {
  /** Tenant of the credential */
  tenant_id: string;
  key_id: string;
};

export type ApiKeysRotateOutput = CreatedApiKey;

export type AuditListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  /** Id of an operation, or its noun: `healing`, `healing.execute` */
  action?: string;
  actor?: string;
  object_id?: string;
  /** Inclusive */
  date_from?: DateOrTime;
  /** Exclusive */
  date_to?: DateOrTime;
};

export type AuditListOutput = AuditEntryPage;

export type CodingSessionsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  /** Only of this coding agent: claude-code, codex, … */
  agent?: string;
  /** Only on this project: its root folder */
  project?: string;
  /** Only sessions that ended so */
  ended_by?: SessionEnd;
  /** Started at or after */
  since?: DateOrTime;
  /** Started before */
  until?: DateOrTime;
};

export type CodingSessionsListOutput = CodingSessionPage;

export type CodingSessionsSummaryInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Days until now, 1 to 366 */
  days?: number;
};

export type CodingSessionsSummaryOutput = CodingSessionWeek;

export type CodingSessionsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** The session's id, its trace's id, or an unambiguous beginning of the session's id */
  session_id: string;
};

export type CodingSessionsGetOutput = CodingSessionReport;

export type ConversationsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  format?: "taxonomy-data" | "chat-completions-a" | "chat-completions-b" | "generic";
  framework?: string;
  /** Started at or after */
  date_from?: DateOrTime;
  /** Started before */
  date_to?: DateOrTime;
};

export type ConversationsListOutput = ConversationPage;

export type ConversationsIngestInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 16 MiB, also once unpacked, and 50000 values and member names */
  body: {
    /** `taxonomy-data`: a MAST trace record · `chat-completions-a`: OpenAI messages · `chat-completions-b`: Anthropic messages · `generic`: `{turns: [{role, content, name?, timestamp?}]}` */
    format: "taxonomy-data" | "chat-completions-a" | "chat-completions-b" | "generic";
    /** The conversation; messages may come bare or with the provider's request and response. `trace_id` or `conversation_id` name it */
    data: Record<string, unknown> | unknown[];
  };
};

export type ConversationsIngestOutput = IngestedConversation;

export type ConversationsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  conversation_id: string;
};

export type ConversationsGetOutput = Conversation;

export type ConversationsAnalyzeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  conversation_id: string;
};

export type ConversationsAnalyzeOutput = {
  conversation_id: string;
  trace_id: string;
  failure_modes: string[];
  /** Worst first; `step` is the turn */
  detections: Detection[];
  total: number;
};

export type ConversationsTurnsInput = {
  /** Tenant of the credential */
  tenant_id: string;
  conversation_id: string;
};

export type ConversationsTurnsOutput = {
  conversation_id: string;
  items: Turn[];
  total: number;
};

export type DetectionsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  detection_type?: DetectionType;
  /** Has been validated, either way */
  validated?: string;
  confidence_min?: number;
  confidence_max?: number;
  trace_id?: string;
  issue_id?: string;
  /** Only detections that this agent caused */
  agent_id?: string;
  /** `observation` also lists weak signals */
  min_severity?: Severity;
  /** Inclusive */
  date_from?: DateOrTime;
  /** Exclusive */
  date_to?: DateOrTime;
};

export type DetectionsListOutput = DetectionPage;

export type DetectionsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  detection_id: string;
};

export type DetectionsGetOutput = Detection;

export type DetectionsFixesInput = {
  /** Tenant of the credential */
  tenant_id: string;
  detection_id: string;
};

export type DetectionsFixesOutput = {
  items: Fix[];
};

export type DetectionsApplyFixInput = {
  /** Tenant of the credential */
  tenant_id: string;
  detection_id: string;
  fix_id: string;
};

export type DetectionsApplyFixOutput = Fix;

export type DetectionsValidateInput = {
  /** Tenant of the credential */
  tenant_id: string;
  detection_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    is_valid: boolean;
    feedback?: string;
  };
};

export type DetectionsValidateOutput = Detection;

export type ExportGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type ExportGetOutput = Response;

export type FeedbackSubmitInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    /** Also of an observation or a withdrawn detection */
    detection_id: string;
    /** `false_negative` names an observation that was a real failure, `true_negative` one that was none */
    feedback_type: "true_positive" | "false_positive" | "true_negative" | "false_negative";
    comment?: string;
  };
};

export type FeedbackSubmitOutput = Feedback;

export type FeedbackListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  detection_id?: string;
  detection_type?: DetectionType;
  feedback_type?: "true_positive" | "false_positive" | "true_negative" | "false_negative";
};

export type FeedbackListOutput = FeedbackPage;

export type FeedbackRecommendationsInput = {
  /** Tenant of the credential */
  tenant_id: string;
  goal?: "f1" | "precision";
  /** For the goal `precision` */
  target_precision?: number;
  detection_type?: DetectionType;
};

export type FeedbackRecommendationsOutput = {
  goal: "f1" | "precision";
  target_precision: number | null;
  /** Fewer recommend nothing */
  minimum: {
    samples: number;
    each: number;
  };
  method: string;
  items: Recommendation[];
};

export type FeedbackStatsInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type FeedbackStatsOutput = {
  /** Detection types with feedback */
  items: Array<{
    true_positives: number;
    false_positives: number;
    true_negatives: number;
    false_negatives: number;
    precision: number | null;
    recall: number | null;
    f1: number | null;
    /** Detections with feedback; of each the newest word counts */
    samples: number;
    /** 95 % intervals (Wilson) of the three */
    interval: {
      precision: Interval | null;
      recall: Interval | null;
      f1: Interval | null;
    };
    detection_type: string;
  }>;
  overall: FeedbackFigures;
  /** How recall is estimated, and what it leaves out */
  recall_estimate: string;
};

export type FeedbackWithdrawInput = {
  /** Tenant of the credential */
  tenant_id: string;
  feedback_id: string;
};

export type FeedbackWithdrawOutput = Detection;

export type HealingHistoryInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type HealingHistoryOutput = HealingSummaryPage;

export type HealingCreateInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 8 MiB, also once unpacked, and 10000 values and member names */
  body: {
    detection_id?: string;
    fix_id?: string;
    /** What carries it out; `manual`: a person */
    executor?: string;
    /** What is changed, as the executor takes it */
    target?: Record<string, unknown>;
    /** In place of the changes of the fix */
    changes?: Array<{
      /** What it is about, for people */
      target?: string;
      format: "json-patch" | "unified-diff" | "text";
      /** Of a text: the passage that is replaced */
      before?: string | null;
      /** JSON Patch (RFC 6902) as text, a unified diff, or the new passage */
      after: string;
    }>;
  };
};

export type HealingCreateOutput = HealingOperation;

export type HealingListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  status?: "pending_approval" | "approved" | "rejected" | "executing" | "applied" | "failed" | "unknown" | "rolled_back";
  fix_type?: "loop_guard" | "retry_policy" | "state_schema" | "context_management" | "budget_limit" | "workflow_change" | "tool_change" | "input_guard" | "prompt_change" | "credential_change" | "config_change";
  detection_id?: string;
};

export type HealingListOutput = HealingSummaryPage;

export type HealingGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
};

export type HealingGetOutput = HealingOperation;

export type HealingApproveInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    /** Kept with the operation */
    note?: string;
  };
};

export type HealingApproveOutput = HealingOperation;

export type HealingCheckInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
};

export type HealingCheckOutput = HealingOperation;

export type HealingExecuteInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
};

export type HealingExecuteOutput = HealingOperation;

export type HealingRejectInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    /** Kept with the operation */
    note?: string;
  };
};

export type HealingRejectOutput = HealingOperation;

export type HealingResolveInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    outcome: "applied" | "failed" | "rolled_back";
    /** Kept with the operation */
    note?: string;
  };
};

export type HealingResolveOutput = HealingOperation;

export type HealingRollbackInput = {
  /** Tenant of the credential */
  tenant_id: string;
  operation_id: string;
};

export type HealingRollbackOutput = HealingOperation;

export type IngestRefusalsInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type IngestRefusalsOutput = {
  /** At most 40, newest first */
  items: IngestRefusal[];
};

export type IssuesListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  status?: "open" | "resolved" | "ignored";
  type?: DetectionType;
  /** Agent of its detections */
  agent?: string;
  severity?: Severity;
  /** Open again after it was resolved */
  regressed?: boolean;
  /** Open, and first seen in the last 24 hours */
  new?: boolean;
  /** Part of the title, the failure, the agent or the id */
  q?: string;
  /** The highest or newest first; `runs` and `cost` are those of the last 14 days */
  sort?: "impact" | "last_seen" | "first_seen" | "runs" | "cost";
};

export type IssuesListOutput = IssuePage;

export type IssuesChangeManyInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    issue_ids: string[];
    action: "resolve" | "ignore" | "snooze" | "reopen";
    /** For `ignore` and `snooze` */
    until?: DateOrTime | null;
    /** For `ignore` */
    runs?: number | null;
  };
};

export type IssuesChangeManyOutput = {
  /** In the order of `issue_ids` */
  items: IssueOutcome[];
};

export type IssuesGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  issue_id: string;
};

export type IssuesGetOutput = Issue;

export type IssuesIgnoreInput = {
  /** Tenant of the credential */
  tenant_id: string;
  issue_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    until?: DateOrTime | null;
    runs?: number | null;
  };
};

export type IssuesIgnoreOutput = Issue;

export type IssuesReopenInput = {
  /** Tenant of the credential */
  tenant_id: string;
  issue_id: string;
};

export type IssuesReopenOutput = Issue;

export type IssuesResolveInput = {
  /** Tenant of the credential */
  tenant_id: string;
  issue_id: string;
};

export type IssuesResolveOutput = Issue;

export type IssuesSnoozeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  issue_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    until?: DateOrTime | null;
  };
};

export type IssuesSnoozeOutput = Issue;

export type JobsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type JobsListOutput = JobPage;

export type JobsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  job_id: string;
};

export type JobsGetOutput = Job;

export type JobsDeleteInput = {
  /** Tenant of the credential */
  tenant_id: string;
  job_id: string;
};

export type JobsDeleteOutput = undefined;

export type OverviewGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Last visit; a day ago where left out */
  since?: DateOrTime;
};

export type OverviewGetOutput = Overview;

export type AlertsPreferencesInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type AlertsPreferencesOutput = NotificationPreferences;

export type AlertsChangePreferencesInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: NotificationPreferencesChange;
};

export type AlertsChangePreferencesOutput = NotificationPreferences;

export type AlertsTestInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type AlertsTestOutput = {
  results: Array<{
    channel: AlertChannel;
    /** Address of a mail */
    target: string | null;
    delivered: boolean;
    problem: string | null;
  }>;
};

export type CalibrationGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type CalibrationGetOutput = Calibration;

export type CalibrationChangeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    enabled?: boolean;
    target_alert_rate?: number;
  };
};

export type CalibrationChangeOutput = Calibration;

export type CalibrationResetInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type CalibrationResetOutput = undefined;

export type SettingsOverridesInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type SettingsOverridesOutput = DetectorOverrides;

export type SettingsChangeOverridesInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    loop?: number | null;
    tool_failure?: number | null;
    cost_overrun?: number | null;
    state_corruption?: number | null;
    context_overflow?: number | null;
    workflow_design?: number | null;
    injection?: number | null;
    secret_leak?: number | null;
    completion?: number | null;
    quality_gate?: number | null;
    reasoning_action_mismatch?: number | null;
    tool_provision?: number | null;
    output_validation?: number | null;
    specification?: number | null;
    coordination?: number | null;
    communication?: number | null;
    role_usurpation?: number | null;
    resource_misallocation?: number | null;
    withholding?: number | null;
    decomposition?: number | null;
    derailment?: number | null;
    persona_drift?: number | null;
    hallucination?: number | null;
    grounding?: number | null;
    retrieval_quality?: number | null;
    context_neglect?: number | null;
    [name: string]: unknown;
  };
};

export type SettingsChangeOverridesOutput = DetectorOverrides;

export type SettingsDetectorsInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type SettingsDetectorsOutput = DetectorSwitches;

export type SettingsSwitchDetectorsInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    loop?: boolean | null;
    tool_failure?: boolean | null;
    cost_overrun?: boolean | null;
    state_corruption?: boolean | null;
    context_overflow?: boolean | null;
    workflow_design?: boolean | null;
    injection?: boolean | null;
    secret_leak?: boolean | null;
    completion?: boolean | null;
    quality_gate?: boolean | null;
    reasoning_action_mismatch?: boolean | null;
    tool_provision?: boolean | null;
    output_validation?: boolean | null;
    specification?: boolean | null;
    coordination?: boolean | null;
    communication?: boolean | null;
    role_usurpation?: boolean | null;
    resource_misallocation?: boolean | null;
    withholding?: boolean | null;
    decomposition?: boolean | null;
    derailment?: boolean | null;
    persona_drift?: boolean | null;
    hallucination?: boolean | null;
    grounding?: boolean | null;
    retrieval_quality?: boolean | null;
    context_neglect?: boolean | null;
  };
};

export type SettingsSwitchDetectorsOutput = DetectorSwitches;

export type HealingPolicyInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type HealingPolicyOutput = HealingPolicy;

export type HealingChangePolicyInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    policy?: "manual" | "auto";
    /** What is named is set, null takes it back, others stay */
    fix_types?: Partial<Record<"loop_guard" | "retry_policy" | "state_schema" | "context_management" | "budget_limit" | "workflow_change" | "tool_change" | "input_guard" | "prompt_change" | "credential_change" | "config_change", {
      /** Highest risk that goes ahead without a person */
      max_risk: "low" | "medium" | "high";
    } | null>>;
    max_per_day?: number;
  };
};

export type HealingChangePolicyOutput = HealingPolicy;

export type SettingsJudgeInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type SettingsJudgeOutput = JudgeStatus;

export type SettingsChangeJudgeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    enabled?: boolean;
    /** Null: as many as the instance allows */
    daily_calls?: number | null;
  };
};

export type SettingsChangeJudgeOutput = JudgeStatus;

export type RetentionGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type RetentionGetOutput = Retention;

export type RetentionSetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    /** Days; null: for ever; `default`: as the instance does */
    retention_days: number | null | "default";
  };
};

export type RetentionSetOutput = Retention;

export type ThresholdsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Of traces of this framework */
  framework?: string;
};

export type ThresholdsGetOutput = Thresholds;

export type ThresholdsChangeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    structural_threshold?: number | null;
    semantic_threshold?: number | null;
    loop_detection_window?: number | null;
    min_matches_for_loop?: number | null;
    confidence_scaling?: number | null;
    context_warning_ratio?: number | null;
    context_critical_ratio?: number | null;
    token_budget?: number | null;
    cost_budget_usd?: number | null;
    max_steps?: number | null;
    global?: ThresholdChange;
    /** By framework; null takes all of one back */
    frameworks?: Record<string, ThresholdChange | null>;
  };
};

export type ThresholdsChangeOutput = Thresholds;

export type ThresholdsResetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Only what was set for this framework */
  framework?: string;
};

export type ThresholdsResetOutput = undefined;

export type ThresholdsTenantDefaultsInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type ThresholdsTenantDefaultsOutput = DefaultThresholds;

export type ThresholdsPreviewInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** How alike the arguments of two calls with the same answer must be to count as the same call; at the default only equal ones do */
  structural_threshold?: number;
  /** How alike two texts of a cycle must be to count as the same; at the default only equal ones do */
  semantic_threshold?: number;
  /** Steps looked back for a cycle */
  loop_detection_window?: number;
  /** Repetitions that make a loop */
  min_matches_for_loop?: number;
  /** Factor on what fires, never on the confidence reported; set, it stands above adaptation */
  confidence_scaling?: number;
  /** Share of the context window from which a load is a warning */
  context_warning_ratio?: number;
  /** Share of the context window from which a load is critical */
  context_critical_ratio?: number;
  /** Tokens a run may take; unset, there is no budget */
  token_budget?: number;
  /** Dollars a run may cost; unset, there is no budget */
  cost_budget_usd?: number;
  /** Steps a run may take; unset, there is no limit */
  max_steps?: number;
  /** Propose for traces of this framework, and look at those only */
  framework?: string;
};

export type ThresholdsPreviewOutput = {
  framework: string | null;
  current: ThresholdValues;
  /** With what was proposed */
  thresholds: ThresholdValues;
  sampled: {
    /** Newest first; each was judged twice */
    traces: number;
    /** Too long, or took too long */
    skipped: number;
    /** Traces stored in that time */
    of: number;
    from: string;
    to: string;
    is_complete: boolean;
  };
  fires_more: ThresholdDifference;
  fires_less: ThresholdDifference;
};

export type SignInLinksCreateInput = {
  /** Tenant of the credential */
  tenant_id: string;
};

export type SignInLinksCreateOutput = SignInLink;

export type TenantsStreamInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Comma-separated list of `traces`, `issues`, `healing`, `imports`; all where left out */
  topics?: string;
  /** Only events about this trace */
  trace_id?: string;
};

export type TenantsStreamOutput = Response;

export type TracesListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  /** Only traces this agent took part in */
  agent_id?: string;
  status?: TraceStatus;
  /** Only runs of this framework */
  framework?: string;
  /** Only runs that used this model */
  model?: string;
  /** Only traces whose worst detection has this severity */
  severity?: Severity;
  /** Only traces with a detection at least as severe */
  min_severity?: Severity;
  /** Only traces with this grade */
  grade?: Grade;
  /** Cost at least so many US dollars */
  min_cost?: number;
  /** Ended, and took at least so many milliseconds */
  min_duration?: number;
  /** In name, task, title, service, agents or models, whatever its case; or the beginning of the trace id */
  q?: string;
  /** In name or task, whatever its case */
  text?: string;
  /** Only runs of this workflow */
  workflow_id?: string;
  /** Only coding agents' sessions on this project: its root folder */
  project?: string;
  /** Only coding agents' sessions on this branch */
  branch?: string;
  /** Only coding agents' sessions that ended so */
  ended_by?: SessionEnd;
  /** Only runs of workflows in this group */
  group_id?: string;
  /** Also traces that hold only a coding agent's own bookkeeping, without any run */
  include_bookkeeping?: boolean;
  /** Started at or after */
  date_from?: DateOrTime;
  /** Started before */
  date_to?: DateOrTime;
  /** `started_at`: newest first; `failure_rank`, `cost`, `duration`, `tokens`: highest first, traces without that figure last */
  sort?: "started_at" | "failure_rank" | "cost" | "duration" | "tokens";
};

export type TracesListOutput = TraceSummaryPage;

export type TracesDeleteMatchingInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Only traces this agent took part in */
  agent_id?: string;
  status?: TraceStatus;
  framework?: string;
  /** Started at or after */
  date_from?: DateOrTime;
  /** Started before */
  date_to?: DateOrTime;
};

export type TracesDeleteMatchingOutput = Job;

export type TracesFacetsInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Only traces this agent took part in */
  agent_id?: string;
  status?: TraceStatus;
  /** Only runs of this framework */
  framework?: string;
  /** Only runs that used this model */
  model?: string;
  /** Only traces whose worst detection has this severity */
  severity?: Severity;
  /** Only traces with a detection at least as severe */
  min_severity?: Severity;
  /** Only traces with this grade */
  grade?: Grade;
  /** Cost at least so many US dollars */
  min_cost?: number;
  /** Ended, and took at least so many milliseconds */
  min_duration?: number;
  /** In name, task, title, service, agents or models, whatever its case; or the beginning of the trace id */
  q?: string;
  /** In name or task, whatever its case */
  text?: string;
  /** Only runs of this workflow */
  workflow_id?: string;
  /** Only coding agents' sessions on this project: its root folder */
  project?: string;
  /** Only coding agents' sessions on this branch */
  branch?: string;
  /** Only coding agents' sessions that ended so */
  ended_by?: SessionEnd;
  /** Only runs of workflows in this group */
  group_id?: string;
  /** Also traces that hold only a coding agent's own bookkeeping, without any run */
  include_bookkeeping?: boolean;
  /** Started at or after */
  date_from?: DateOrTime;
  /** Started before */
  date_to?: DateOrTime;
  /** Values of each facet, 1 to 100 */
  top?: number;
};

export type TracesFacetsOutput = TraceFacets;

export type TracesHistogramInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Only traces this agent took part in */
  agent_id?: string;
  status?: TraceStatus;
  /** Only runs of this framework */
  framework?: string;
  /** Only runs that used this model */
  model?: string;
  /** Only traces whose worst detection has this severity */
  severity?: Severity;
  /** Only traces with a detection at least as severe */
  min_severity?: Severity;
  /** Only traces with this grade */
  grade?: Grade;
  /** Cost at least so many US dollars */
  min_cost?: number;
  /** Ended, and took at least so many milliseconds */
  min_duration?: number;
  /** In name, task, title, service, agents or models, whatever its case; or the beginning of the trace id */
  q?: string;
  /** In name or task, whatever its case */
  text?: string;
  /** Only runs of this workflow */
  workflow_id?: string;
  /** Only coding agents' sessions on this project: its root folder */
  project?: string;
  /** Only coding agents' sessions on this branch */
  branch?: string;
  /** Only coding agents' sessions that ended so */
  ended_by?: SessionEnd;
  /** Only runs of workflows in this group */
  group_id?: string;
  /** Also traces that hold only a coding agent's own bookkeeping, without any run */
  include_bookkeeping?: boolean;
  /** Started at or after */
  date_from?: DateOrTime;
  /** Started before */
  date_to?: DateOrTime;
  /** At most so many buckets, 1 to 400 */
  buckets?: number;
};

export type TracesHistogramOutput = TraceHistogram;

export type TracesIngestInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** OTLP ExportTraceServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB unpacked */
  body: {
    resourceSpans: unknown[];
  } | RawBody;
};

export type TracesIngestOutput = IngestResult;

export type TracesReanalyzeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    trace_ids?: string[];
    /** All whose analysis was given up; in place of trace_ids */
    given_up?: true;
  };
};

export type TracesReanalyzeOutput = {
  /** Traces that will be analysed */
  scheduled: number;
  /** Named traces that do not exist */
  not_found: string[];
};

export type TracesGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
  /** Lists that are filled; a long trace is quicker without */
  include?: "all" | "spans" | "states" | "none";
};

export type TracesGetOutput = Trace;

export type TracesDeleteInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
};

export type TracesDeleteOutput = undefined;

export type TracesAnalyzeInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
  /** Also alert about what is new in a trace that is history or was judged before */
  alert?: boolean;
};

export type TracesAnalyzeOutput = {
  trace_id: string;
  detections: Detection[];
  total: number;
};

export type TracesFindInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
  /** Whatever its case; no signs of a pattern */
  text: string;
  /** First step, from zero */
  from_step?: number;
  /** Items after which the answer ends, 1 to 200 */
  count?: number;
};

export type TracesFindOutput = TraceFind;

export type TracesGraphInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
};

export type TracesGraphOutput = TraceGraph;

export type TracesOutlineInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
};

export type TracesOutlineOutput = TraceOutline;

export type TracesSpansInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
  /** Ids separated by commas, at most 50; replaces the window */
  ids?: string;
  /** First step, from zero */
  from_step?: number;
  /** Spans, 1 to 500 */
  count?: number;
};

export type TracesSpansOutput = SpanWindow;

export type TracesSpanInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
  span_id: string;
};

export type TracesSpanOutput = Span;

export type TracesStatesInput = {
  /** Tenant of the credential */
  tenant_id: string;
  trace_id: string;
  /** First snapshot, from zero */
  from?: number;
  /** Snapshots; all where it is left out */
  count?: number;
};

export type TracesStatesOutput = {
  trace_id: string;
  items: StateSnapshot[];
  /** Of the trace, whatever window was asked for */
  total: number;
};

export type WorkflowGroupsCreateInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body: {
    name: string;
    description?: string | null;
    color?: string | null;
    rules?: WorkflowGroupRulesInput | null;
  };
};

export type WorkflowGroupsCreateOutput = WorkflowGroup;

export type WorkflowGroupsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
};

export type WorkflowGroupsListOutput = WorkflowGroupPage;

export type WorkflowGroupsGetInput = {
  /** Tenant of the credential */
  tenant_id: string;
  group_id: string;
};

export type WorkflowGroupsGetOutput = WorkflowGroup;

export type WorkflowGroupsUpdateInput = {
  /** Tenant of the credential */
  tenant_id: string;
  group_id: string;
  /** At most 64 KiB, also once unpacked, and 10000 values and member names */
  body?: {
    name?: string;
    description?: string | null;
    color?: string | null;
    rules?: WorkflowGroupRulesInput | null;
  };
};

export type WorkflowGroupsUpdateOutput = WorkflowGroup;

export type WorkflowGroupsDeleteInput = {
  /** Tenant of the credential */
  tenant_id: string;
  group_id: string;
};

export type WorkflowGroupsDeleteOutput = undefined;

export type WorkflowGroupsAutoDetectInput = {
  /** Tenant of the credential */
  tenant_id: string;
  group_id: string;
};

export type WorkflowGroupsAutoDetectOutput = {
  group_id: string;
  matched: number;
  /** Came into the group now */
  assigned: string[];
  /** Left it now */
  removed: string[];
  /** Match, but stand in another group by hand */
  kept_elsewhere: string[];
  workflow_count: number;
};

export type WorkflowGroupsAssignInput = {
  /** Tenant of the credential */
  tenant_id: string;
  group_id: string;
  /** At most 8 MiB, also once unpacked, and 10000 values and member names */
  body: {
    workflow_ids: string[];
  };
};

export type WorkflowGroupsAssignOutput = WorkflowGroup;

export type WorkflowGroupsUnassignInput = {
  /** Tenant of the credential */
  tenant_id: string;
  group_id: string;
  workflow_id: string;
};

export type WorkflowGroupsUnassignOutput = undefined;

export type WorkflowsListInput = {
  /** Tenant of the credential */
  tenant_id: string;
  /** Page number, from 1 */
  page?: number;
  /** Items a page, 1 to 200 */
  page_size?: number;
  /** `next_cursor` of the page before; replaces `page` */
  cursor?: string;
  /** Only those in this group */
  group_id?: string;
  /** Only those of this framework */
  source?: string;
};

export type WorkflowsListOutput = WorkflowPage;

export type TracesCliAgentIngestInput = {
  /** At most 16 MiB, also once unpacked, and 25000 values and member names */
  body: CodingAgentRecord | CodingAgentRecord[];
};

export type TracesCliAgentIngestOutput = Record<string, never>;

export type DocsInput = Record<string, never>;

export type DocsOutput = string;

export type LangsmithInfoInput = Record<string, never>;

export type LangsmithInfoOutput = Record<string, unknown>;

export type LivezInput = Record<string, never>;

export type LivezOutput = {
  status: "ok";
};

export type TypescriptClientInput = Record<string, never>;

export type TypescriptClientOutput = string;

export type OpenapiInput = Record<string, never>;

export type OpenapiOutput = Record<string, unknown>;

export type LangsmithOtlpInput = {
  /** OTLP ExportTraceServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB unpacked */
  body: {
    resourceSpans: unknown[];
  } | RawBody;
};

export type LangsmithOtlpOutput = unknown;

export type ReadyzInput = Record<string, never>;

export type ReadyzOutput = {
  status: "ready";
};

export type LangsmithCreateRunInput = {
  /** Runs of LangSmith’s API. At most 16 MiB, also once unpacked, and 500000 values and member names */
  body: Record<string, unknown>;
};

export type LangsmithCreateRunOutput = IngestResult;

export type LangsmithTakeBatchInput = {
  /** Runs of LangSmith’s API. At most 16 MiB, also once unpacked, and 500000 values and member names */
  body: Record<string, unknown>;
};

export type LangsmithTakeBatchOutput = IngestResult;

export type LangsmithTakeMultipartInput = {
  /** Parts `post.<id>`, `patch.<id>` and `post.<id>.<field>`; at most 64 MiB with attachments. Without them: At most 16 MiB, also once unpacked, and 500000 values and member names */
  body: RawBody;
};

export type LangsmithTakeMultipartOutput = IngestResult;

export type LangsmithUpdateRunInput = {
  run_id: string;
  /** Runs of LangSmith’s API. At most 16 MiB, also once unpacked, and 500000 values and member names */
  body: Record<string, unknown>;
};

export type LangsmithUpdateRunOutput = IngestResult;

export type WebPageInput = Record<string, never>;

export type WebPageOutput = string;

export type WebFileInput = {
  name: string;
};

export type WebFileOutput = string;

export type WebViewInput = {
  path: string;
};

export type WebViewOutput = string;

export type OtlpLogsInput = {
  /** OTLP ExportLogsServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB unpacked */
  body: {
    resourceLogs: unknown[];
  } | RawBody;
};

export type OtlpLogsOutput = unknown;

export type OtlpTracesInput = {
  /** OTLP ExportTraceServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB unpacked */
  body: {
    resourceSpans: unknown[];
  } | RawBody;
};

export type OtlpTracesOutput = unknown;

export type OpenaiAgentsTracesInput = {
  /** Records of the SDK; a bad one affects no other. At most 16 MiB, also once unpacked, and 150000 values and member names */
  body: {
    data: Array<Record<string, unknown>>;
  };
};

export type OpenaiAgentsTracesOutput = IngestResult;
