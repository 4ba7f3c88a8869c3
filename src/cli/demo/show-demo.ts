import type { Backend } from '../../client/backend.ts';
import { isAtLeast } from '../../core/severity.ts';
import { fillDemoOperation } from '../../features/demo/demo.operations.ts';
import { analyzeTraceOperation } from '../../features/traces/trace.operations.ts';
import { readDetections } from '../browse/read-detections.ts';
import type { CommandContext } from '../context.ts';
import { withProgress } from '../progress.ts';
import { detectionsJson } from '../views/detections-json.ts';
import { detectionsText } from '../views/detections-text.ts';
import type { TraceDetections } from '../views/trace-detections.ts';

/** Stores the example runs, analyzes them, and shows the detections. */
export async function showDemo(context: CommandContext): Promise<void> {
  const { print, options } = context;
  const backend = await context.backend();
  const tenantId = await backend.tenantId();
  const stored = await withProgress(context, 'Storing example runs', () =>
    backend.call(fillDemoOperation, { tenant_id: tenantId }),
  );
  const found = await withProgress(context, 'Analyzing them', () => analyzeAll(backend, stored.trace_ids));
  if (options.isJson) return print.data(detectionsJson(found));
  print.data(detectionsText(found, context));
  print.note('See more with `misstep traces list` and `misstep detections list`.');
}

async function analyzeAll(backend: Backend, traceIds: readonly string[]): Promise<TraceDetections[]> {
  const tenantId = await backend.tenantId();
  const found: TraceDetections[] = [];
  for (const traceId of traceIds) {
    const address = { tenant_id: tenantId, trace_id: traceId };
    const { detections } = await backend.call(analyzeTraceOperation, address);
    const shown = detections.filter(({ severity }) => isAtLeast(severity, 'info'));
    found.push(await readDetections(backend, address, shown));
  }
  return found;
}
