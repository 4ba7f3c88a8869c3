import type { ArrivalLimits } from './body-arrival.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './connection-limits.ts';
import type { PublicUrl } from './public-url.ts';

/** How the server listens, whom it believes, and what it bounds. */
export interface HttpConfig {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Names under which clients may address the server, beside loopback names and `host`. */
  allowedHosts: readonly string[];
  /** Where clients reach the server if that is not the listener's address; null: it is. */
  publicUrl: PublicUrl | null;
  /** Exact origins of other sites whose pages may call; none turns CORS off. */
  corsOrigins: readonly string[];
  /** Addresses or CIDR blocks of proxies whose `X-Forwarded-…` is believed. */
  trustedProxies: readonly string[];
  /** The operator's credential; null where there is none. */
  operatorToken: string | null;
  /** The operator's credential where it was generated into the data folder: the server then proves that it has it. */
  provableToken: string | null;
  /** Lets anyone register tenants, from anywhere. */
  isRegistrationOpen: boolean;
  /** Null turns rate limits off. */
  rateLimits: { global: RateLimit; auth: RateLimit; session: RateLimit } | null;
  /** Bytes of a body as sent. */
  maxSentBytes: number;
  /** Bytes of a body once unpacked. */
  maxUnpackedBytes: number;
  /** Bytes of all bodies that are held at one time; beyond it senders are asked to come back. */
  maxBytesInFlight: number;
  /** How fast a body must arrive; a slower one gets 408. */
  bodyArrival: ArrivalLimits;
  connectionLimits: ConnectionLimits;
  /** Event streams of all tenants together, and of one; each holds a connection. */
  maxStreams: { inAll: number; ofTenant: number };
  /** Checks every answer against its schema: for tests. */
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
  maxStreams: { inAll: 1_000, ofTenant: 100 },
  bodyArrival: { idleMs: 10_000, graceMs: 30_000, minBytesPerSecond: 4_096 },
  validatesOutput: false,
};
