export interface SubscriptionTable {
  tenant_no: number;
  customer_id: string | null;
  subscription_id: string | null;
  plan: string;
  /** The payment provider's value. */
  status: string;
  current_period_end: number | null;
  cancel_at_period_end: number;
  /** Creation time of the newest applied event, and its rank among those of the same second. */
  event_at: number;
  event_rank: number;
  updated_at: number;
}

export interface BillingEventTable {
  event_id: string;
  /** 0 if it concerns no tenant. */
  tenant_no: number;
  type: string;
  created_at: number;
  received_at: number;
}
