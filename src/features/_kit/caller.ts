export const SCOPES = ['ingest', 'read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The authenticated caller. The local command line acts as the operator. */
export interface Caller {
  tenantId: string | null;
  keyId: string | null;
  scopes: readonly Scope[];
  isOperator: boolean;
  /** A browser that is signed in. */
  sessionId?: string;
  /** May register a tenant only while the store never had one. */
  isFirstRun?: boolean;
}

/** Context of an operation’s call. */
export interface CallOptions {
  /** Aborts when the caller has disconnected: the response is no longer needed. */
  signal?: AbortSignal;
}
