const HOME = /^\/(?:home|Users)\/[^/]{1,64}(?=\/|$)|^\/root(?=\/|$)/;

/**
 * A normalised path: absolute, without `.` and `..`, the home folder as `~`. Null if it is relative to an unknown folder,
 * or contains an unknown variable.
 */
export function plainPath(text: string, directory: string | null): string | null {
  const isRelative = !/^(?:\/|~(?:\/|$))/.test(text);
  if (isRelative && (directory === null || directory.startsWith('?'))) return null;
  const whole = isRelative ? `${directory}/${text}` : text;
  if (whole.includes('$') || whole.includes('`')) return null;
  return withoutDotSegments(whole.replace(/^~/, '/home/me')).replace(HOME, '~');
}

function withoutDotSegments(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether a path is the folder or lies below it. Both must be normalised. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? '/' : path.slice(0, at);
}

const TEMPORARY =
  /^(?:\/tmp|\/var\/tmp|\/private\/tmp|\/private\/var\/folders|\/var\/folders|\/dev\/shm|\/run\/user)\/|^\/(?:private\/|var\/)?tmp$|(?:^|\/)(?:\.?tmp|\.?temp|scratch(?:pad)?)(?:\/|$)/i;
const CACHED =
  /^\/var\/(?:cache|lib\/apt)\/|^~\/(?:\.cache|\.npm|\.yarn|\.pnpm-store|\.gradle\/caches|\.m2\/repository|\.cargo\/(?:registry|git)|\.nuget|\.pub-cache|\.ivy2|Library\/Caches|Library\/Developer\/Xcode\/DerivedData|Library\/pnpm|\.local\/share\/(?:Trash|pnpm|virtualenvs))(?:\/|$)|(?:^|\/)(?:\.?cache|caches)(?:\/|$)/i;
const REBUILDABLE = new Set(
  (
    'node_modules dist build out target __pycache__ .next .nuxt .turbo .parcel-cache .tox .nox .venv venv env .eggs ' +
    '.pytest_cache .mypy_cache .ruff_cache coverage .coverage htmlcov .nyc_output _build Pods DerivedData ' +
    'site-packages .gradle .terraform .serverless storybook-static .svelte-kit .angular .output'
  ).split(' '),
);

/** Whether the content of a path can be recreated at any time: temporary folders, caches, output of builds and installs. */
export function isDisposable(path: string): boolean {
  return (
    TEMPORARY.test(path) ||
    CACHED.test(path) ||
    (path.split('/').some((part) => REBUILDABLE.has(part) || part.endsWith('.egg-info')) &&
      !/^\/(?:usr|etc|boot)\//.test(path))
  );
}
