import type { JsonLimits } from '../../core/bounded-json.ts';

export interface BodyLimit extends JsonLimits {
  /** Of the body as sent, and once more of the body unpacked. */
  maxBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** How large the body of a request may be, by what it holds. */
export const BODY_LIMITS = {
  /** What guests send to get a credential. */
  credentials: { maxBytes: 8 * KIB, maxNodes: 200 },
  /** Settings, registrations, notes: every operation that names no other limit. */
  settings: { maxBytes: 64 * KIB, maxNodes: 10_000 },
  /** Events of the payment provider. */
  events: { maxBytes: MIB, maxNodes: 50_000 },
  /** Texts to check, files to change. */
  documents: { maxBytes: 8 * MIB, maxNodes: 10_000 },
  /** One conversation: about ten thousand turns. */
  conversations: { maxBytes: 16 * MIB, maxNodes: 50_000 },
  /** Runs as platforms send them; n8n itself sends at most 16 MiB. */
  runs: { maxBytes: 16 * MIB, maxNodes: 150_000 },
  /** Batches of runs that SDKs of other vendors send: four times what they are asked to put into one. */
  batches: { maxBytes: 16 * MIB, maxNodes: 500_000 },
  /** Hook records of coding agents, one or a list: about two thousand. */
  hooks: { maxBytes: 16 * MIB, maxNodes: 25_000 },
} as const satisfies Record<string, BodyLimit>;
export type BodyLimitName = keyof typeof BODY_LIMITS;

export function bodyLimitOf({ bodyLimit = 'settings' }: { bodyLimit?: BodyLimitName }): BodyLimit {
  return BODY_LIMITS[bodyLimit];
}

/** For the interface description. */
export function describeBodyLimit({ maxBytes, maxNodes }: BodyLimit): string {
  const size = maxBytes >= MIB ? `${maxBytes / MIB} MiB` : `${maxBytes / KIB} KiB`;
  return `At most ${size}, also once unpacked, and ${maxNodes} values and member names`;
}
