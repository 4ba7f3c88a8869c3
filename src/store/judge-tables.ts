/** Answers that a model gave to questions about detections. */
export interface JudgeAnswerTable {
  tenant_no: number;
  /** SHA-256 of the rendered question, hex. */
  question_hash: string;
  model: string;
  verdict: string;
  reason: string;
  answered_at: number;
}

export interface JudgeUsageTable {
  tenant_no: number;
  /** UTC, `2026-01-31`. */
  day: string;
  calls: number;
  tokens: number;
  /** Questions that were not sent because the day's budget was used up. */
  skipped: number;
}
