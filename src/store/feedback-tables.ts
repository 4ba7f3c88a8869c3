/** All feedback of users on detections, including validations. */
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
  /** `feedback` or `validation`: the operation that recorded it. */
  source: string;
  /** Key id, or `operator`. */
  created_by: string | null;
  created_at: number;
}
