import { expect, it } from 'vitest';
import { describeProgram } from '../support/real-program.ts';

describeProgram('opentelemetry', {}, (rig) => {
  it.each([
    ['JSON', ['json']],
    ['JSON, gzip', ['json', 'gzip']],
    ['protobuf', ['proto']],
    ['protobuf, gzip', ['proto', 'gzip']],
  ])(
    'OpenTelemetry SDK 3, %s: every kind of attribute is read exactly; the failed call is detected',
    async (_, args) => {
      const { credentials, traces } = await rig.recordTraces('send.mjs', 1, () => ({}), args);
      const [trace] = traces;
      expect(trace).toMatchObject({
        service_name: 'workshop',
        agent_ids: ['mechanic'],
        models: ['gpt-4o'],
        total_tokens: 150,
        status: 'error',
      });
      const { spans } = await rig.detail(credentials, trace!);
      expect(spans.map(({ name }) => name)).toEqual(['invoke_agent mechanic', 'chat gpt-4o']);
      expect(spans[0]?.attributes).toMatchObject({
        integer: 42,
        negative: -7,
        largest: Number.MAX_SAFE_INTEGER,
        double: 0.25,
        no: false,
        words: ['brake', 'pad'],
        gaps: ['front', null, null, 'rear'],
        map: { part: 'BP-204', count: 2, nested: { spare: true } },
        maps: [
          { role: 'user', content: 'Is it in stock?' },
          { role: 'assistant', content: 'Yes.' },
        ],
        unusual: 'Größe "M" \u{1F6B2}',
      });
      // The SDK writes these as null into JSON.
      if (args[0] === 'proto')
        expect(spans[0]?.attributes).toMatchObject({
          infinite: { $double: 'Infinity' },
          beyond: { $int64: '1152921504606846976' },
        });
      const [detection] = await rig.found(credentials, trace);
      expect(detection).toMatchObject({ agent_id: 'mechanic', span_ids: [spans[1]?.span_id] });
    },
  );
});
