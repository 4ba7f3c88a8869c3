import { loadPart } from './embedded-part.ts';

type Decoders = typeof import('../src/cli/ingest/convert-to-otlp.ts');

export const { convertToOtlp } = loadPart<Decoders>('decoders', require);
