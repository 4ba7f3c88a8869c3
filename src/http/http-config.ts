import type { BodySpeedLimits } from './body-speed.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './connection-limits.ts';
import type { PublicUrl } from './public-url.ts';

/** Listen address, trust and limits of the server. */
export interface HttpConfig {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Names under which clients may address the server, in addition to loopback names and `host`. */
  allowedHosts: readonly string[];
  /** The URL that clients use, if it is not the listener's address; null: it is. */
  publicUrl: PublicUrl | null;
  /** Exact origins of other sites whose pages may call the API; an empty list disables CORS. */
  corsOrigins: readonly string[];
  /** Addresses or CIDR blocks of proxies whose `X-Forwarded-…` headers are trusted. */
  trustedProxies: readonly string[];
  /** The operator's credential; null if absent. */
  operatorToken: string | null;
  /** The operator's credential if it was generated into the data folder: the server then proves that it has it. */
  provableToken: string | null;
  /** Allows anyone to register tenants, from any address. */
  isRegistrationOpen: boolean;
  /** Null disables rate limits. */
  rateLimits: { global: RateLimit; auth: RateLimit; session: RateLimit } | null;
  /** Bytes of a body as sent. */
  maxSentBytes: number;
  /** Bytes of a body after decompression. */
  maxUnpackedBytes: number;
  /** Bytes of all bodies in memory at one time; beyond it senders are asked to retry later. */
  maxBytesInFlight: number;
  /** Minimum speed of a request body; a slower one gets 408. */
  bodyArrival: BodySpeedLimits;
  connectionLimits: ConnectionLimits;
  /** Maximum event streams in total, and per tenant; each holds a connection. */
  maxStreams: { total: number; perTenant: number };
  /** Validates every response against its schema: for tests. */
  validatesOutput: boolean;
}

export interface RateLimit {
  requests: number;
  windowSeconds: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_HTTP_CONFIG: HttpConfig = {
  host: '127.0.0.1',
  port: 4319,
  allowedHosts: [],
  publicUrl: null,
  corsOrigins: [],
  trustedProxies: [],
  operatorToken: null,
  provableToken: null,
  isRegistrationOpen: false,
  rateLimits: {
    global: { requests: 1000, windowSeconds: 60 },
    auth: { requests: 10, windowSeconds: 60 },
    session: { requests: 3000, windowSeconds: 60 },
  },
  maxSentBytes: 64 * MIB,
  maxUnpackedBytes: 64 * MIB,
  maxBytesInFlight: 128 * MIB,
  connectionLimits: DEFAULT_CONNECTION_LIMITS,
  maxStreams: { total: 1_000, perTenant: 100 },
  bodyArrival: { idleMs: 10_000, graceMs: 30_000, minBytesPerSecond: 4_096 },
  validatesOutput: false,
};
