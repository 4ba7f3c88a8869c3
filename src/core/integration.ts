/** The platforms that runs come from, under the neutral names they have on the wire. */
export const INTEGRATIONS = ['flowplatform', 'llmapps', 'graphruntime', 'agentsession'] as const;
export type Integration = (typeof INTEGRATIONS)[number];

const BY_FRAMEWORK: Readonly<Record<string, Integration>> = {
  n8n: 'flowplatform',
  dify: 'llmapps',
  langgraph: 'graphruntime',
  openclaw: 'agentsession',
};

/** Whose stream tells of traces of this framework; null where none does. */
export function integrationOfFramework(framework: string): Integration | null {
  return BY_FRAMEWORK[framework] ?? null;
}
