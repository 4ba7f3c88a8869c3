import { z } from 'zod';

/** The traces of the example runs. */
export const exampleRuns = z.object({ trace_ids: z.array(z.string()).describe('The healthy run first') });
export type ExampleRuns = z.input<typeof exampleRuns>;
