/** The platforms that runs come from, by their neutral wire names. */
export const INTEGRATIONS = ['flowplatform', 'llmapps', 'graphruntime', 'agentsession'] as const;
export type Integration = (typeof INTEGRATIONS)[number];

const BY_FRAMEWORK: Readonly<Record<string, Integration>> = {
  n8n: 'flowplatform',
  dify: 'llmapps',
  langgraph: 'graphruntime',
  openclaw: 'agentsession',
};

/** The platform whose stream carries traces of this framework; null if absent. */
export function integrationOfFramework(framework: string): Integration | null {
  return BY_FRAMEWORK[framework] ?? null;
}
