const WEBHOOK_TOKEN = /(\/webhook\/)[^/]+/g;
/** Keys and tokens of Misstep, also in unknown paths. */
const OWN_SECRET = /mst_[^/]+/g;

/** The path without its secrets, for logs and responses. */
export function redactPath(path: string): string {
  return path.replace(WEBHOOK_TOKEN, '$1***').replace(OWN_SECRET, '***');
}
