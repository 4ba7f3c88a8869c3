import { describe, expect, it } from 'vitest';
import { describeProgram, type Rig, toolSteps, traceOf } from '../support/real-program.ts';

const FAILING = { FAILING: '1' };
/** Langfuse's documented variables. The secret key is the Misstep key. */
const documented = (rig: Rig, key: string) => ({
  LANGFUSE_BASE_URL: rig.served.url,
  LANGFUSE_BASEURL: rig.served.url,
  LANGFUSE_PUBLIC_KEY: 'pk-lf-misstep',
  LANGFUSE_SECRET_KEY: key,
});
const ownExporter = (rig: Rig, key: string) => ({
  OWN_EXPORTER: '1',
  LANGFUSE_PUBLIC_KEY: 'pk-lf-misstep',
  LANGFUSE_SECRET_KEY: 'sk-lf-unused',
  OTEL_EXPORTER_OTLP_ENDPOINT: rig.served.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${key}`,
});

describeProgram('langfuse', {}, (rig) => {
  describe.each([
    ['@langfuse/otel 5, its own address and keys', 'otel.mjs', documented],
    ['@langfuse/otel 5, stock OTLP exporter', 'otel.mjs', ownExporter],
    ['langfuse 3, its ingestion API', 'native.mjs', documented],
  ])('%s', (_, file, settings) => {
    it('healthy: everything is read, nothing is detected', async () => {
      const { credentials, traces } = await rig.recordTraces(file, 1, (key) => settings(rig, key));
      const trace = traceOf(traces, 'repair');
      expect(trace).toMatchObject({
        status: 'ok',
        session_id: 'bench-3',
        models: ['gpt-4o'],
        total_tokens: 150,
      });
      expect(trace.task).toContain('How many sets of BP-204 are in stock?');
      const detail = await rig.detail(credentials, trace);
      if (file === 'otel.mjs') {
        expect(detail.agent_ids).toContain('mechanic');
        expect(toolSteps(detail)).toMatchObject([
          { agent_id: 'mechanic', tool: { name: 'find_part', arguments: { part: 'BP-204' }, result: { sets: 7 } } },
        ]);
      }
      expect(await rig.warnings(credentials)).toEqual([]);
    });

    it('failing: the tool that fails is detected at its step', async () => {
      const { credentials, traces } = await rig.recordTraces(file, 1, (key) => ({ ...settings(rig, key), ...FAILING }));
      const { spans, trace_id } = await rig.detail(credentials, traceOf(traces, 'repair'));
      const found = await rig.found(credentials, { trace_id });
      const failure = found.find(({ detection_type }) => detection_type === 'tool_failure');
      expect(spans.find(({ span_id }) => span_id === failure?.span_ids[0])?.name).toBe('find_part');
    });
  });
});
