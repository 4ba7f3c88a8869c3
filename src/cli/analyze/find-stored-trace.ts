import { existsSync } from 'node:fs';
import { databaseFileOf } from '../../app/config.ts';
import { AppError } from '../../core/app-error.ts';
import { spoolFolderOf } from '../../features/spool/spool-name.ts';
import { analyzeTraceOperation } from '../../features/traces/trace.operations.ts';
import { readDetections } from '../browse/read-detections.ts';
import type { CommandContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { TraceDetections } from '../views/trace-detections.ts';

/** Analyzes a stored trace again. @throws AppError `usage` if there is neither such a file nor such a trace */
export async function findStoredTrace(context: CommandContext, traceId: string): Promise<TraceDetections> {
  if (!hasStore(context.options)) throw noSuchInput(traceId);
  const backend = await context.backend();
  const address = { tenant_id: await backend.tenantId(), trace_id: traceId };
  try {
    const { detections } = await backend.call(analyzeTraceOperation, address);
    return await readDetections(backend, address, detections);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchInput(traceId) : error;
  }
}

/** Searching for a trace must not create a store. */
function hasStore({ server, dataFolder }: GlobalOptions): boolean {
  return server !== null || existsSync(databaseFileOf(dataFolder)) || existsSync(spoolFolderOf(dataFolder));
}

function noSuchInput(name: string): AppError {
  return new AppError('usage', `There is neither a file nor a trace ${JSON.stringify(name)}.`);
}
