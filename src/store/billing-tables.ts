export interface SubscriptionTable {
  tenant_no: number;
  customer_id: string | null;
  subscription_id: string | null;
  plan: string;
  /** As the payment provider says it. */
  status: string;
  current_period_end: number | null;
  cancel_at_period_end: number;
  /** When the newest event that counted was made, and its rank among those of the same second. */
  event_at: number;
  event_rank: number;
  updated_at: number;
}

export interface BillingEventTable {
  event_id: string;
  /** 0 where it concerns no tenant. */
  tenant_no: number;
  type: string;
  created_at: number;
  received_at: number;
}
