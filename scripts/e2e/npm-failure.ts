const UNREACHABLE = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ERR_SOCKET_TIMEOUT',
  'ENETUNREACH',
];

/** The standard error of npm as one actionable reason. */
export function npmFailure(stderr: string): string {
  const lines = stderr.split('\n').flatMap((line) => /^npm error (.*\S)/.exec(line)?.[1] ?? []);
  const code = lines.flatMap((line) => /^code (\S+)$/.exec(line)?.[1] ?? [])[0];
  if (code !== undefined && UNREACHABLE.includes(code)) return `the npm registry cannot be reached (${code})`;
  const message = lines.find((line) => !/^(code|errno|syscall|path) /.test(line)) ?? stderr.trim().split('\n')[0];
  return `npm: ${[code, message].filter(Boolean).join(': ') || 'failed without a message'}`;
}
