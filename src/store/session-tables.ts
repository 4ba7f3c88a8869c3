/** A signed-in browser. */
export interface WebSessionTable {
  /** INSTANCE_NO for the operator. */
  tenant_no: number;
  /** SHA-256 of the cookie's value, hex. */
  token_hash: string;
  session_id: string;
  /** The API key that opened it; null if an operator link did. */
  key_id: string | null;
  /** Hash of the credential when the session was opened; rotating the credential ends the session. */
  secret_hash: string | null;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  /** Rounded to the minute. */
  seen_at: number;
}

/** A one-time sign-in link. */
export interface SignInLinkTable {
  /** INSTANCE_NO for the operator. */
  tenant_no: number;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  /** The API key that created it; null if the operator did. */
  key_id: string | null;
  /** Hash of that key when the link was created. */
  secret_hash: string | null;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}
