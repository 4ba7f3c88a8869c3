export const SCOPES = ['ingest', 'read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who asks. The local command line acts as the operator. */
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

/** How an operation is asked for. */
export interface Asked {
  /** Aborts when the asker has gone: the answer is not needed any more. */
  signal?: AbortSignal;
}
