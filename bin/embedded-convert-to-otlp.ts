type Convert = typeof import('../src/cli/ingest/convert-to-otlp.ts').convertToOtlp;

/** The decoders are read from their part of the executable when they are needed: a hook's call does without. */
export const convertToOtlp = async (...received: Parameters<Convert>): Promise<ReturnType<Convert>> => {
  const { loadPart } = await import('./embedded-part.ts');
  return loadPart<{ convertToOtlp: Convert }>('decoders').convertToOtlp(...received);
};
