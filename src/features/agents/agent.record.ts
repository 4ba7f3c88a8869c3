import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { AgentTable } from '../../store/schema.ts';

/** An agent's figures over all its traces. */
export const agentRecord = z
  .object({
    agent_id: z.string(),
    step_count: z.number().int(),
    tokens_used: z.number(),
    open_issues: z.number().int().describe('Issues of the agent that are open now'),
    avg_latency_ms: z
      .number()
      .nullable()
      .describe(
        'Mean duration of its turns: of its steps that are not inside another step of it; null if none has both times',
      ),
    last_active_at: z.string(),
    status: z
      .enum(['active', 'idle', 'inactive'])
      .describe('active: seen in the last 5 minutes; idle: in the last 24 hours'),
  })
  .meta({ id: 'Agent' });
export type AgentRecord = z.input<typeof agentRecord>;

const ACTIVE_MS = 5 * 60_000;
const IDLE_MS = 24 * 3_600_000;

export function toAgentRecord(row: AgentTable, openIssues: number, now: number): AgentRecord {
  return {
    agent_id: row.agent_id,
    step_count: row.step_count,
    tokens_used: row.tokens_used,
    open_issues: openIssues,
    avg_latency_ms: row.latency_count === 0 ? null : Math.round((row.latency_sum_ms / row.latency_count) * 1000) / 1000,
    last_active_at: toRfc3339(row.last_active_at),
    status: activityAt(now - row.last_active_at),
  };
}

function activityAt(ageMs: number): AgentRecord['status'] {
  if (ageMs < ACTIVE_MS) return 'active';
  return ageMs < IDLE_MS ? 'idle' : 'inactive';
}
