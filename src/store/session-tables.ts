/** A browser that is signed in. */
export interface WebSessionTable {
  /** The operator's is of the instance (INSTANCE_NO). */
  tenant_no: number;
  /** SHA-256 of the cookie's value, hex. */
  token_hash: string;
  session_id: string;
  /** The API key that opened it; null where a link of the operator did. */
  key_id: string | null;
  /** Of the credential when the session was opened; a rotated credential ends the session. */
  secret_hash: string | null;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  /** To the minute. */
  seen_at: number;
}

/** An address that signs in once. */
export interface SignInLinkTable {
  /** The operator's is of the instance (INSTANCE_NO). */
  tenant_no: number;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  /** The API key that made it; null where the operator did. */
  key_id: string | null;
  /** Of that key when the link was made. */
  secret_hash: string | null;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}
