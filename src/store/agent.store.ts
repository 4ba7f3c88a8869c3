import type { Db } from './connection.ts';
import type { AgentTable } from './schema.ts';

/** What one trace contributes to an agent's figures. */
export interface AgentShare {
  agentId: string;
  stepCount: number;
  tokensUsed: number;
  latencySumMs: number;
  latencyCount: number;
  /** Unix milliseconds. */
  lastActiveAt: number;
}

/** Puts a trace's shares in the place of its earlier ones, and moves the agents' totals by the difference. */
export async function replaceAgentShares(
  db: Db,
  trace: { tenantNo: number; traceId: string; startedAt: number },
  shares: readonly AgentShare[],
): Promise<void> {
  const before = await db
    .selectFrom('trace_agents')
    .selectAll()
    .where('tenant_no', '=', trace.tenantNo)
    .where('trace_id', '=', trace.traceId)
    .execute();
  for (const row of before) {
    await addToAgent(db, trace.tenantNo, {
      agentId: row.agent_id,
      stepCount: -row.step_count,
      tokensUsed: -row.tokens_used,
      latencySumMs: -row.latency_sum_ms,
      latencyCount: -row.latency_count,
      lastActiveAt: 0,
    });
  }
  await db
    .deleteFrom('trace_agents')
    .where('tenant_no', '=', trace.tenantNo)
    .where('trace_id', '=', trace.traceId)
    .execute();
  for (const share of shares) {
    await addToAgent(db, trace.tenantNo, share);
    await db
      .insertInto('trace_agents')
      .values({ ...toRow(trace.tenantNo, share), trace_id: trace.traceId, started_at: trace.startedAt })
      .execute();
  }
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

async function addToAgent(db: Db, tenantNo: number, share: AgentShare): Promise<void> {
  await db
    .insertInto('agents')
    .values(toRow(tenantNo, share))
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

/** Agents seen last first; those whose every trace is gone are left out. */
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
