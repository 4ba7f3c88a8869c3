import { z } from 'zod';
import { severity } from '../_kit/vocabulary.ts';

/** A design problem of a workflow, found before it runs. */
export const designDetection = z
  .object({
    subtype: z.string(),
    title: z.string(),
    severity,
    confidence: z.number(),
    explanation: z.string(),
    suggested_action: z.string(),
  })
  .meta({ id: 'DesignFinding' });

export const discoveredWorkflow = z
  .object({
    external_id: z.string().describe('Its id in n8n'),
    instance_id: z.string(),
    name: z.string(),
    active: z.boolean(),
    node_count: z.number().int(),
    registration_id: z.string().nullable().describe('Where it is registered here'),
    findings: z.array(designDetection),
  })
  .meta({ id: 'DiscoveredWorkflow' });
export type DiscoveredWorkflow = z.output<typeof discoveredWorkflow>;
