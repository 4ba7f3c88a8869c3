const SECRET_SEGMENT = /(\/webhook\/)[^/]+/g;

/** The path as logs and answers may show it: tokens in it are secrets. */
export function shownPath(path: string): string {
  return path.replace(SECRET_SEGMENT, '$1***');
}
