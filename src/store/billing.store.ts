import type { BillingEventTable, SubscriptionTable } from './billing-tables.ts';
import type { Db } from './connection.ts';

export async function readSubscription(db: Db, tenantNo: number): Promise<SubscriptionTable | null> {
  const row = await db.selectFrom('subscriptions').selectAll().where('tenant_no', '=', tenantNo).executeTakeFirst();
  return row ?? null;
}

/** The tenant of a payment provider's customer; null if none is known. */
export async function tenantOfCustomer(db: Db, customerId: string): Promise<number | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select('tenant_no')
    .where('customer_id', '=', customerId)
    .orderBy('tenant_no')
    .executeTakeFirst();
  return row?.tenant_no ?? null;
}

export async function saveSubscription(db: Db, row: SubscriptionTable): Promise<void> {
  const { tenant_no: _, ...values } = row;
  await db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_no').doUpdateSet(values))
    .execute();
}

/** @returns false if the event is already stored */
export async function claimBillingEvent(db: Db, row: BillingEventTable): Promise<boolean> {
  const inserted = await db
    .insertInto('billing_events')
    .values(row)
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function pruneBillingEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('billing_events').where('received_at', '<', before).execute();
}
