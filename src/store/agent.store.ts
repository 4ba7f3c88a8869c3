import type { Db } from './connection.ts';
import type { AgentTable } from './schema.ts';
import { inBatches } from './transaction.ts';

/** What one trace adds to an agent's figures. */
export interface AgentShare {
  agentId: string;
  stepCount: number;
  tokensUsed: number;
  latencySumMs: number;
  latencyCount: number;
  /** Unix milliseconds. */
  lastActiveAt: number;
}

export interface TraceShares {
  traceId: string;
  /** Unix milliseconds. */
  startedAt: number;
  shares: readonly AgentShare[];
  /** The agents and start under which the trace is currently counted; null if it is not yet. */
  listed: { agentIds: readonly string[]; startedAt: number } | null;
}

const ROWS_PER_STATEMENT = 200;

/** Replaces the earlier shares of each trace, and changes the agents' totals by the difference. */
export async function replaceAgentShares(db: Db, tenantNo: number, traces: readonly TraceShares[]): Promise<void> {
  const removed = (await Promise.all(traces.map((trace) => removeShares(db, tenantNo, trace)))).flat();
  const added = traces.flatMap(({ traceId, startedAt, shares }) =>
    shares.map((share) => ({ ...toRow(tenantNo, share), trace_id: traceId, started_at: startedAt })),
  );
  for (const slice of inBatches(added, ROWS_PER_STATEMENT)) await db.insertInto('trace_agents').values(slice).execute();
  await addToAgents(db, sumByAgent(tenantNo, removed, added));
}

async function removeShares(db: Db, tenantNo: number, { traceId, listed }: TraceShares): Promise<AgentTable[]> {
  if (!listed || listed.agentIds.length === 0) return [];
  return db
    .deleteFrom('trace_agents')
    .where('tenant_no', '=', tenantNo)
    .where('agent_id', 'in', listed.agentIds)
    .where('started_at', '=', listed.startedAt)
    .where('trace_id', '=', traceId)
    .returningAll()
    .execute();
}

function toRow(tenantNo: number, share: AgentShare): AgentTable {
  return {
    tenant_no: tenantNo,
    agent_id: share.agentId,
    step_count: share.stepCount,
    tokens_used: share.tokensUsed,
    latency_sum_ms: share.latencySumMs,
    latency_count: share.latencyCount,
    last_active_at: share.lastActiveAt,
  };
}

/** One difference per agent, in a fixed order, so that two writers never deadlock. */
function sumByAgent(tenantNo: number, removed: readonly AgentTable[], added: readonly AgentTable[]): AgentTable[] {
  const sums = new Map<string, AgentTable>();
  const sumOf = (agentId: string) => {
    const known = sums.get(agentId);
    if (known) return known;
    const zero = { agentId, stepCount: 0, tokensUsed: 0, latencySumMs: 0, latencyCount: 0, lastActiveAt: 0 };
    const sum = toRow(tenantNo, zero);
    sums.set(agentId, sum);
    return sum;
  };
  for (const row of added) addTo(sumOf(row.agent_id), row, 1);
  for (const row of removed) addTo(sumOf(row.agent_id), row, -1);
  return [...sums.values()].sort((one, other) => (one.agent_id < other.agent_id ? -1 : 1));
}

function addTo(sum: AgentTable, row: AgentTable, sign: 1 | -1): void {
  sum.step_count += sign * row.step_count;
  sum.tokens_used += sign * row.tokens_used;
  sum.latency_sum_ms += sign * row.latency_sum_ms;
  sum.latency_count += sign * row.latency_count;
  if (sign > 0) sum.last_active_at = Math.max(sum.last_active_at, row.last_active_at);
}

async function addToAgents(db: Db, differences: readonly AgentTable[]): Promise<void> {
  for (const slice of inBatches(differences, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('agents')
      .values(slice)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'agent_id']).doUpdateSet((update) => {
          const isLater = update('excluded.last_active_at', '>', update.ref('agents.last_active_at'));
          return {
            step_count: update('agents.step_count', '+', update.ref('excluded.step_count')),
            tokens_used: update('agents.tokens_used', '+', update.ref('excluded.tokens_used')),
            latency_sum_ms: update('agents.latency_sum_ms', '+', update.ref('excluded.latency_sum_ms')),
            latency_count: update('agents.latency_count', '+', update.ref('excluded.latency_count')),
            last_active_at: update
              .case()
              .when(isLater)
              .then(update.ref('excluded.last_active_at'))
              .else(update.ref('agents.last_active_at'))
              .end(),
          };
        }),
      )
      .execute();
  }
}

/** Agents seen last first; agents without remaining traces are omitted. */
export function listAgents(db: Db, tenantNo: number): Promise<AgentTable[]> {
  return db
    .selectFrom('agents')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('step_count', '>', 0)
    .orderBy('last_active_at', 'desc')
    .orderBy('agent_id')
    .execute();
}
