/** Sums over traces of one UTC day under one label; integers only, so that subtracting is exact. */
export interface DailyFigureTable {
  tenant_no: number;
  dimension: string;
  /** Days since 1970-01-01. */
  day: number;
  label: string;
  count: number;
  tokens: number;
  cost_nano_usd: number;
  /** Meaning depends on the dimension. */
  amount: number;
}

/** Runs with the same source, service and name, with sums over them. */
export interface WorkflowTable {
  tenant_no: number;
  workflow_id: string;
  source: string;
  service_name: string | null;
  name: string;
  trace_count: number;
  step_count: number;
  /** Traces that have a score, and the sum of their scores. */
  scored_count: number;
  score_tenths: number;
  tokens: number;
  cost_nano_usd: number;
  last_seen_at: number;
  group_id: string | null;
  /** Assigned to its group manually. */
  is_manual: number;
}

export interface WorkflowGroupTable {
  tenant_no: number;
  group_id: string;
  name: string;
  description: string | null;
  color: string | null;
  /** JSON; null if it has none. */
  rules: string | null;
  created_at: number;
  updated_at: number;
}
