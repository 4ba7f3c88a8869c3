import { sql } from 'kysely';
import type { Db } from './connection.ts';
import { countRows } from './count-rows.ts';
import type { AgentTable } from './schema.ts';

/** Null if no trace has it any more. */
export async function readAgent(db: Db, tenantNo: number, agentId: string): Promise<AgentTable | null> {
  const row = await db
    .selectFrom('agents')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('agent_id', '=', agentId)
    .where('step_count', '>', 0)
    .executeTakeFirst();
  return row ?? null;
}

/** Stops at `limit`. */
export async function countTracesOfAgent(db: Db, tenantNo: number, agentId: string, limit: number): Promise<number> {
  const limited = db
    .selectFrom('trace_agents')
    .select('trace_id')
    .where('tenant_no', '=', tenantNo)
    .where('agent_id', '=', agentId)
    .limit(limit)
    .as('some');
  return countRows(db, limited);
}

export interface AgentRun {
  status: string;
  framework: string;
  /** JSON array of names. */
  models: string;
}

/** The agent's newest runs. */
export async function newestRunsOfAgent(db: Db, tenantNo: number, agentId: string, limit: number): Promise<AgentRun[]> {
  return db
    .selectFrom('trace_agents')
    .innerJoin('traces', (join) =>
      join
        .onRef('traces.tenant_no', '=', 'trace_agents.tenant_no')
        .onRef('traces.trace_id', '=', 'trace_agents.trace_id'),
    )
    .select(['traces.status', 'traces.framework', 'traces.models'])
    .where('trace_agents.tenant_no', '=', tenantNo)
    .where('trace_agents.agent_id', '=', agentId)
    .orderBy('trace_agents.started_at', 'desc')
    .orderBy('trace_agents.trace_id', 'desc')
    .limit(limit)
    .execute();
}

export interface AgentDetections {
  detection_type: string;
  subtype: string;
  severity: string;
  count: number;
  traces: number;
  wasted_tokens: number;
  wasted_cost_usd: number;
}

/** The agent's detections by kind and severity, without those withdrawn or marked as false. */
export async function detectionsOfAgent(
  db: Db,
  tenantNo: number,
  agentId: string,
  { since, limit }: { since: number; limit: number },
): Promise<AgentDetections[]> {
  const { rows } = await sql<AgentDetections>`
    select detection_type, subtype, severity, count(*) as count, count(distinct trace_id) as traces,
      sum(wasted_tokens) as wasted_tokens, sum(wasted_cost_usd) as wasted_cost_usd
    from detections
    where tenant_no = ${tenantNo} and agent_id = ${agentId} and created_at >= ${since}
      and withdrawn_at is null and severity <> 'observation' and coalesce(is_valid, 1) = 1
    group by 1, 2, 3
    order by count desc, detection_type, subtype, severity
    limit ${limit}`.execute(db);
  return rows;
}
