import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../core/app-error.ts';
import {
  deleteTraceOperation,
  deleteTracesOperation,
  getJobOperation,
} from '../../features/deletion/deletion.operations.ts';
import type { CommandContext } from '../context.ts';
import { confirm } from '../identity/prompt.ts';
import { withProgress } from '../progress.ts';
import { counted } from '../views/amounts.ts';

export interface TraceDeleteFlags {
  status?: 'running' | 'ok' | 'error';
  agent?: string;
  framework?: string;
  from?: string;
  to?: string;
  yes?: boolean;
}

const POLL_INTERVAL_MS = 300;

export async function deleteTraces(
  context: CommandContext,
  traceIds: readonly string[],
  { yes, ...conditions }: TraceDeleteFlags,
): Promise<void> {
  const isFiltered = Object.values(conditions).some((condition) => condition !== undefined);
  if (isFiltered === traceIds.length > 0)
    throw new AppError('usage', 'Name the traces to delete, or give conditions such as --to; not both.');
  const what = isFiltered ? 'every trace that matches' : counted(traceIds.length, 'trace');
  if (!(await confirm(context, yes, `Delete ${what} permanently?`))) return context.print.note('Nothing was deleted.');
  await (isFiltered ? deleteMatching(context, conditions) : deleteNamed(context, traceIds));
}

async function deleteNamed({ backend, print, options }: CommandContext, traceIds: readonly string[]): Promise<void> {
  const opened = await backend();
  for (const trace_id of traceIds) {
    await opened.call(deleteTraceOperation, { tenant_id: await opened.tenantId(), trace_id });
  }
  if (options.isJson) print.json({ deleted: traceIds.length });
  else print.note(`${counted(traceIds.length, 'trace')} deleted.`);
}

async function deleteMatching(
  context: CommandContext,
  { status, agent, framework, from, to }: Omit<TraceDeleteFlags, 'yes'>,
): Promise<void> {
  const backend = await context.backend();
  const tenant_id = await backend.tenantId();
  const job = await backend.call(deleteTracesOperation, {
    tenant_id,
    ...(status === undefined ? {} : { status }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(framework === undefined ? {} : { framework }),
    ...(from === undefined ? {} : { date_from: from }),
    ...(to === undefined ? {} : { date_to: to }),
  });
  const ended = await withProgress(context, 'Deleting', async () => {
    await backend.workOnDeletions();
    let now = await backend.call(getJobOperation, { tenant_id, job_id: job.job_id });
    while (['queued', 'processing'].includes(now.status) && !context.signal.aborted) {
      await pause(POLL_INTERVAL_MS, undefined, { signal: context.signal }).catch(() => {});
      now = await backend.call(getJobOperation, { tenant_id, job_id: job.job_id });
    }
    return now;
  });
  if (context.options.isJson) context.print.json(ended);
  else context.print.note(`${counted(ended.deleted, 'trace')} deleted (${ended.status}).`);
}
