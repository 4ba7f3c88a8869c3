import type { JsonLimits } from '../../core/bounded-json.ts';

export interface BodyLimit extends JsonLimits {
  /** Applies to the body as sent, and again to the decompressed body. */
  maxBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum size of a request body, by its content. */
export const BODY_LIMITS = {
  /** Requests of guests for a credential. */
  credentials: { maxBytes: 8 * KIB, maxNodes: 200 },
  /** Settings, registrations, notes: every operation that names no other limit. */
  settings: { maxBytes: 64 * KIB, maxNodes: 10_000 },
  /** Events of the payment provider. */
  events: { maxBytes: MIB, maxNodes: 50_000 },
  /** Texts to check, files to change. */
  documents: { maxBytes: 8 * MIB, maxNodes: 10_000 },
  /** One conversation: about ten thousand turns. */
  conversations: { maxBytes: 16 * MIB, maxNodes: 50_000 },
  /** Runs in the platforms' own formats; n8n itself sends at most 16 MiB. */
  runs: { maxBytes: 16 * MIB, maxNodes: 150_000 },
  /** Batches of runs from SDKs of other vendors: four times the batch size that they are asked to use. */
  batches: { maxBytes: 16 * MIB, maxNodes: 500_000 },
  /** Hook records of coding agents, one or a list: about two thousand. */
  hooks: { maxBytes: 16 * MIB, maxNodes: 25_000 },
} as const satisfies Record<string, BodyLimit>;
export type BodyLimitName = keyof typeof BODY_LIMITS;

export function bodyLimitOf({ bodyLimit = 'settings' }: { bodyLimit?: BodyLimitName }): BodyLimit {
  return BODY_LIMITS[bodyLimit];
}

/** For the API description. */
export function describeBodyLimit({ maxBytes, maxNodes }: BodyLimit): string {
  const size = maxBytes >= MIB ? `${maxBytes / MIB} MiB` : `${maxBytes / KIB} KiB`;
  return `At most ${size}, also when decompressed, and ${maxNodes} values and member names`;
}
