import { loadPart } from './embedded-part.ts';

type HotPath = typeof import('../src/cli/hot-path.ts');

export const { runHotPath } = loadPart<HotPath>('hot', require);
