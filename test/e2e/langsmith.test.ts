import { describe, expect, it } from 'vitest';
import { describeProgram, type Rig, toolSteps } from '../support/real-program.ts';

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
  OTEL_EXPORTER_OTLP_ENDPOINT: rig.served.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${key}`,
});

describeProgram('langsmith', {}, (rig) => {
  describe('native ingestion', () => {
    it('healthy: everything is read, nothing is detected', async () => {
      const { credentials, traces } = await rig.recordTraces('agent.mjs', 1, (key) => native(rig, key));
      expect(traces).toHaveLength(1);
      expect(traces[0]).toMatchObject({ name: 'stock_question', status: 'ok', models: ['gpt-4o'], total_tokens: 300 });
      const detail = await rig.detail(credentials, traces[0]!);
      expect(toolSteps(detail).map(({ tool }) => tool?.name)).toEqual(['find_part']);
      expect(await rig.warnings(credentials)).toEqual([]);
    });

    it('failing: the tool that fails is detected at its step', async () => {
      const { credentials, traces } = await rig.recordTraces('agent.mjs', 1, (key) => ({
        ...native(rig, key),
        FAILING: '1',
      }));
      const { spans } = await rig.detail(credentials, traces[0]!);
      const found = await rig.found(credentials);
      const failure = found.find(({ detection_type }) => detection_type === 'tool_failure');
      expect(spans.find(({ span_id }) => span_id === failure?.span_ids[0])?.step.tool?.name).toBe('find_part');
    });
  });

  describe('OpenTelemetry', () => {
    it('healthy functions: task, session and tool are read, nothing is detected', async () => {
      const { credentials, traces } = await rig.recordTraces('traceable.mjs', 1, (key) => otel(rig, key));
      expect(traces).toHaveLength(1);
      expect(traces[0]).toMatchObject({
        status: 'ok',
        name: 'stock_question',
        session_id: 'bench-3',
        task: 'How many sets of brake pads BP-204 are in stock?',
      });
      expect(toolSteps(await rig.detail(credentials, traces[0]!))).toMatchObject([
        { tool: { name: 'find_part', arguments: { part: 'BP-204' }, result: { part: 'BP-204', sets: 7 } } },
      ]);
      expect(await rig.warnings(credentials)).toEqual([]);
    });

    it('failing functions: the tool that throws is detected at its step', async () => {
      const { credentials, traces } = await rig.recordTraces('traceable.mjs', 1, (key) => ({
        ...otel(rig, key),
        FAILING: '1',
      }));
      expect(traces[0]?.status).toBe('error');
      const { spans } = await rig.detail(credentials, traces[0]!);
      const [detection] = await rig.found(credentials);
      expect(detection?.detection_type).toBe('tool_failure');
      expect(spans.find(({ span_id }) => span_id === detection?.span_ids[0])?.step.tool?.name).toBe('find_part');
    });

    // Of LangChain below a function this SDK exports one span, without the failures of its runs.
    it('healthy LangChain agent: one trace with its task, nothing is detected', async () => {
      const { credentials, traces } = await rig.recordTraces('agent.mjs', 1, (key) => otel(rig, key));
      expect(traces).toHaveLength(1);
      expect(traces[0]).toMatchObject({ status: 'ok', name: 'stock_question' });
      expect(await rig.warnings(credentials)).toEqual([]);
    });
  });
});
