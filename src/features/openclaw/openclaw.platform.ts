import type { Platform } from '../integrations/platform.ts';
import { openclaw } from './openclaw.source.ts';

/** OpenClaw sends its sessions; Misstep never calls it. */
export const openclawPlatform: Platform = { source: openclaw, operations: [], decoders: [], tasks: [] };
