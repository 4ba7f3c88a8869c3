const WEBHOOK_TOKEN = /(\/webhook\/)[^/]+/g;
/** Keys and tokens of Misstep, also in a path that no route has. */
const OWN_SECRET = /mst_[^/]+/g;

/** The path as logs and answers may show it, without the secrets in it. */
export function shownPath(path: string): string {
  return path.replace(WEBHOOK_TOKEN, '$1***').replace(OWN_SECRET, '***');
}
