export interface PlatformName {
  /** Neutral name on the wire. */
  integration: string;
  /** Name of the product. */
  product: string;
  /** Framework of its traces. */
  framework: string;
  /** Whether Misstep can fetch its runs; otherwise they arrive by webhook only. */
  isFetched: boolean;
}

/** The platforms that runs come from. Each has a manifest in `features/platforms.ts`. */
export const PLATFORM_NAMES = [
  { integration: 'flowplatform', product: 'n8n', framework: 'n8n', isFetched: true },
  { integration: 'llmapps', product: 'Dify', framework: 'dify', isFetched: true },
  { integration: 'graphruntime', product: 'LangGraph', framework: 'langgraph', isFetched: false },
  { integration: 'agentsession', product: 'OpenClaw', framework: 'openclaw', isFetched: false },
] as const satisfies readonly PlatformName[];

export type Integration = (typeof PLATFORM_NAMES)[number]['integration'];

type IntegrationsOf<Names> = { -readonly [At in keyof Names]: Names[At] extends PlatformName ? Integration : never };

/** The wire names, in the order of the list. */
export const INTEGRATIONS = PLATFORM_NAMES.map(({ integration }) => integration) as IntegrationsOf<
  typeof PLATFORM_NAMES
>;

/** The wire name for a wire name or the name of a product in any case; null if there is no such platform. */
export function integrationNamed(name: string): Integration | null {
  const wanted = name.toLowerCase();
  return (
    PLATFORM_NAMES.find(({ integration, product }) => integration === wanted || product.toLowerCase() === wanted)
      ?.integration ?? null
  );
}

export function productOf(integration: Integration): string {
  return PLATFORM_NAMES.find((platform) => platform.integration === integration)!.product;
}

/** The platform whose stream carries traces of this framework; null if absent. */
export function integrationOfFramework(framework: string): Integration | null {
  return PLATFORM_NAMES.find((platform) => platform.framework === framework)?.integration ?? null;
}
