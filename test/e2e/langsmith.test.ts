import { describe, expect, it } from 'vitest';
import { describeProgram, type Rig, toolSteps } from '../support/real-program.ts';

const FAILING = { FAILING: '1' };
/** LangSmith's documented variables. */
const native = (rig: Rig, key: string) => ({
  LANGSMITH_TRACING: 'true',
  LANGSMITH_ENDPOINT: rig.served.url,
  LANGSMITH_API_KEY: key,
  LANGSMITH_PROJECT: 'workshop',
});
const otel = (rig: Rig, key: string) => ({
  ...native(rig, key),
  LANGSMITH_OTEL_ENABLED: 'true',
  OTEL_SERVICE_NAME: 'workshop',
  OTEL_EXPORTER_OTLP_ENDPOINT: rig.served.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${key}`,
});

describeProgram('langsmith', {}, (rig) => {
  describe('native ingestion', () => {
    it('healthy: everything is read, nothing is detected', async () => {
      const { credentials, traces } = await rig.emit('agent.mjs', 1, (key) => native(rig, key));
      expect(traces).toHaveLength(1);
      expect(traces[0]).toMatchObject({ name: 'stock_question', status: 'ok', models: ['gpt-4o'], total_tokens: 300 });
      const detail = await rig.detail(credentials, traces[0]!);
      expect(toolSteps(detail).map(({ tool }) => tool?.name)).toEqual(['find_part']);
      expect(await rig.warnings(credentials)).toEqual([]);
    });

    it('failing: the tool that fails is detected at its step', async () => {
      const { credentials, traces } = await rig.emit('agent.mjs', 1, (key) => ({ ...native(rig, key), ...FAILING }));
      const { spans } = await rig.detail(credentials, traces[0]!);
      const found = await rig.found(credentials);
      const failure = found.find(({ detection_type }) => detection_type === 'tool_failure');
      expect(spans.find(({ span_id }) => span_id === failure?.span_ids[0])?.step.tool?.name).toBe('find_part');
    });
  });

  describe('OpenTelemetry', () => {
    // This SDK exports the traceable function alone: runs of LangChain below it do not become spans.
    it('healthy: one trace with its task, nothing is detected', async () => {
      const { credentials, traces } = await rig.emit('agent.mjs', 1, (key) => otel(rig, key));
      expect(traces).toHaveLength(1);
      expect(traces[0]).toMatchObject({ status: 'ok', name: 'stock_question' });
      expect(await rig.warnings(credentials)).toEqual([]);
    });

    it('failing: the run that fails is detected', async () => {
      const { credentials, traces } = await rig.emit('agent.mjs', 1, (key) => ({ ...otel(rig, key), ...FAILING }));
      expect(traces[0]?.status).toBe('error');
      expect((await rig.found(credentials)).map(({ detection_type }) => detection_type)).toContain('tool_failure');
    });
  });
});
