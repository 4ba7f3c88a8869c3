/** Whether a path is a folder or is inside it, in the form of either system: `C:\work` and `c:/work/app` match. */
export function isInFolder(path: string, folder: string): boolean {
  const [inner, outer] = [plainPath(path), plainPath(folder)];
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`);
}

/** Forward slashes, none at the end; Windows paths in lower case, because that system ignores case. */
export function plainPath(path: string): string {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(path);
  const slashed = isWindows ? path.replaceAll('\\', '/').toLowerCase() : path;
  let end = slashed.length;
  while (end > 1 && slashed[end - 1] === '/') end -= 1;
  return slashed.slice(0, end);
}
