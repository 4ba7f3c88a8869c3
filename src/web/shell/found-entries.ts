import type { Agent, Issue, TraceSummary, Workflow } from '../../client/misstep-client.generated.ts';
import { addressOf } from '../address/router.ts';
import { useQuery } from '../data/queries.ts';
import { server } from '../data/server.ts';
import { pluralize } from '../parts/amounts.ts';
import { STATUS_LABELS } from '../parts/status-label.ts';
import { timeText } from '../parts/times.ts';
import type { PaletteEntry } from './palette-entries.ts';

/** Entries of each kind that are listed. */
const MAX_OF_KIND = 5;
/** A shorter text matches nearly everything. */
const MIN_LENGTH = 2;

/** What the server finds by name; a list that could not be read is missing. */
export interface Found {
  issues: readonly Issue[];
  agents: readonly Agent[];
  workflows: readonly Workflow[];
  traces: readonly TraceSummary[];
}

export interface FoundEntries {
  entries: PaletteEntry[];
  isLoading: boolean;
  error: unknown;
}

/** Issues, agents, workflows and traces whose names contain the text. The answer for an earlier text is dropped. */
export function useFoundEntries(tenantId: string | null, text: string): FoundEntries {
  const isSearched = tenantId !== null && text.length >= MIN_LENGTH;
  const found = useQuery(isSearched ? `palette/${tenantId}/${text}` : null, (signal) =>
    findByName(tenantId!, text, signal),
  );
  const { value, isLoading, error } = found.value;
  return { entries: isSearched && value ? foundEntries(value) : [], isLoading, error };
}

async function findByName(tenant_id: string, text: string, signal: AbortSignal): Promise<Found> {
  const page = { tenant_id, q: text, page_size: MAX_OF_KIND };
  const [issues, agents, workflows, traces] = await Promise.all([
    server.issues.list(page, { signal }),
    server.agents.list({ tenant_id }, { signal }),
    server.workflows.list(page, { signal }),
    server.traces.list(page, { signal }),
  ]);
  const lowered = text.toLowerCase();
  return {
    issues: issues.items,
    agents: agents.filter(({ agent_id }) => agent_id.toLowerCase().includes(lowered)).slice(0, MAX_OF_KIND),
    workflows: workflows.items,
    traces: traces.items,
  };
}

function foundEntries({ issues, agents, workflows, traces }: Found): PaletteEntry[] {
  return [
    ...issues.map((issue) => ({
      group: 'Issues',
      label: issue.title,
      detail: [issue.severity, issue.status, ...issue.affected_workflows.slice(0, 1).map(({ name }) => name)].join(
        ' · ',
      ),
      to: addressOf('issue', { id: issue.issue_id }),
    })),
    ...agents.map((agent) => ({
      group: 'Agents',
      label: agent.agent_id,
      detail: pluralize(agent.open_issues, 'open issue'),
      to: addressOf('agents', { agent: agent.agent_id }),
    })),
    ...workflows.map((workflow) => ({
      group: 'Workflows',
      label: workflow.name,
      detail: workflow.service_name ?? workflow.source,
      to: addressOf('traces', { workflow: workflow.workflow_id }),
    })),
    ...traces.map((trace) => ({
      group: 'Traces',
      label: trace.title ?? trace.name,
      detail: [STATUS_LABELS[trace.status], timeText(trace.started_at), ...(trace.task ? [trace.task] : [])].join(
        ' · ',
      ),
      to: addressOf('trace', { id: trace.trace_id }),
    })),
  ];
}
