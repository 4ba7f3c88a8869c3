import type { Backend } from '../../client/backend.ts';
import { isAtLeast } from '../../core/severity.ts';
import { demoSpans } from '../../features/demo/demo-spans.ts';
import { analyzeTraceOperation } from '../../features/traces/trace.operations.ts';
import { encodeOtlpJson } from '../../formats/otlp/encode-json.ts';
import { readFindings } from '../browse/read-findings.ts';
import type { CommandContext } from '../context.ts';
import { withProgress } from '../progress.ts';
import { findingsJson } from '../views/findings-json.ts';
import { findingsText } from '../views/findings-text.ts';
import type { TraceFindings } from '../views/trace-findings.ts';

/** Sends the example runs the way every sender does, has them judged, and shows the findings. */
export async function showDemo(context: CommandContext): Promise<void> {
  const { print, options, io } = context;
  const backend = await context.backend();
  const runs = demoSpans(io.clock.now());
  await withProgress(context, 'Sending example runs', () => backend.ingestOtlp(encodeOtlpJson(runs.flat())));
  const traceIds = runs.map((spans) => spans[0]?.traceId ?? '');
  const found = await withProgress(context, 'Judging them', () => judgeAll(backend, traceIds));
  if (options.isJson) return print.data(findingsJson(found));
  print.data(findingsText(found, context));
  print.note('See more with `misstep traces list` and `misstep detections list`.');
}

async function judgeAll(backend: Backend, traceIds: readonly string[]): Promise<TraceFindings[]> {
  const tenantId = await backend.tenantId();
  const found: TraceFindings[] = [];
  for (const traceId of traceIds) {
    const address = { tenant_id: tenantId, trace_id: traceId };
    const { detections } = await backend.call(analyzeTraceOperation, address);
    const shown = detections.filter(({ severity }) => isAtLeast(severity, 'info'));
    found.push(await readFindings(backend, address, shown));
  }
  return found;
}
