import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLATFORM_NAMES } from '../core/integration.ts';
import { PlatformServices, type PlatformWork } from './integrations/platform-services.ts';
import { platforms } from './platforms.ts';

describe('the manifests of platforms', () => {
  it.each(PLATFORM_NAMES)('$product is described under its own name', ({ integration, product, isFetched }) => {
    const platform = platforms.find(({ source }) => source.integration === integration);
    expect(platform?.source.platform).toBe(product);
    expect(platform?.fetching !== undefined).toBe(isFetched);
  });

  it.each(platforms)('$source.platform has operations below its own path', ({ source, operations }) => {
    const foreign = operations.filter(
      ({ id, path }) => !id.startsWith(`${source.integration}.`) || !path.startsWith(`/${source.integration}/`),
    );
    expect(foreign.map(({ id }) => id)).toEqual([]);
  });

  it('are the platforms that the guide names', () => {
    const guide = readFileSync(new URL('../../docs/integrations.md', import.meta.url), 'utf8');
    const intro = guide.split('\n| ')[0]!;
    const names = [...intro.matchAll(/\(`([a-z0-9-]+)`\)/g)].map(([, name]) => name);
    expect(names).toEqual(PLATFORM_NAMES.map(({ integration }) => integration));
    for (const { integration, product } of PLATFORM_NAMES) expect(intro).toContain(`${product} (\`${integration}\`)`);
  });
});

describe('the services of platforms', () => {
  const calls: string[] = [];
  const work = (name: string): PlatformWork => ({
    runDue: async () => 0,
    nextDueAt: async () => null,
    close: () => void calls.push(`close ${name}`),
  });
  const scheduled = { ...work('fetching'), scheduleDue: async () => {} };
  const services = new PlatformServices(
    [
      { integration: 'flowplatform', services: { answer: 1 }, works: [scheduled], checkConnection: async () => {} },
      { integration: 'graphruntime', services: {}, works: [work('histories')], checkConnection: async () => {} },
    ],
    () => void calls.push('abort'),
  );

  it('are found by the key of their platform', () => {
    expect(services.of<{ answer: number }>({ integration: 'flowplatform' }).answer).toBe(1);
    expect(() => services.of({ integration: 'agentsession' })).toThrow(TypeError);
  });

  it('list what a schedule starts apart from what webhooks cause', () => {
    expect(services.works).toHaveLength(2);
    expect(services.syncs).toEqual([scheduled]);
  });

  it('stop all works before they abort the requests', () => {
    services.close();
    expect(calls).toEqual(['close fetching', 'close histories', 'abort']);
  });
});
