// Traceable functions exported as OpenTelemetry: an agent that calls a tool, which throws when FAILING is set.
import { initializeOTEL } from 'langsmith/experimental/otel/setup';

const { DEFAULT_LANGSMITH_SPAN_PROCESSOR: processor } = initializeOTEL();
const { traceable } = await import('langsmith/traceable');

const findPart = traceable(
  async ({ part }) => {
    if (process.env.FAILING) throw new Error('connect ECONNREFUSED 10.20.0.7:5432');
    return { part, sets: 7 };
  },
  { name: 'find_part', run_type: 'tool' },
);
const ask = traceable(
  async (question) => {
    const { part, sets } = await findPart({ part: /BP-\d+/.exec(question)[0] });
    return `Brake pads ${part}: ${sets} sets are in stock.`;
  },
  { name: 'stock_question', metadata: { session_id: 'bench-3' } },
);
await ask('How many sets of brake pads BP-204 are in stock?').catch(({ message }) => console.log(message));
await processor.shutdown();
