/** Every word of users on detections, validations too. */
export interface FeedbackTable {
  tenant_no: number;
  feedback_id: string;
  detection_id: string;
  trace_id: string;
  detection_type: string;
  subtype: string;
  /** `true_positive`, `false_positive`, `true_negative` or `false_negative`. */
  feedback_type: string;
  comment: string | null;
  /** `feedback` or `validation`: the way it came. */
  source: string;
  /** Key id, or `operator`. */
  created_by: string | null;
  created_at: number;
}
