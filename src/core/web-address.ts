/** The selection in a link to a trace. */
export interface TracePlace {
  traceId: string;
  spanId?: string | null;
  detectionId?: string | null;
}

/** URLs of dashboard pages. */
export class WebAddress {
  #base: string;

  /** @param base `scheme://host[:port][/base/path]`, without a trailing slash */
  constructor(base: string) {
    this.#base = base;
  }

  get base(): string {
    return this.#base;
  }

  /** The port is known only after the server listens. */
  moveTo(base: string): void {
    this.#base = base;
  }

  /** The token is in the fragment: browsers do not send it, and logs do not contain it. */
  signIn(token: string): string {
    return `${this.#base}/ui/sign-in#t=${token}`;
  }

  trace({ traceId, spanId, detectionId }: TracePlace): string {
    const query = new URLSearchParams();
    if (spanId) query.set('span', spanId);
    if (detectionId) query.set('finding', detectionId);
    const selection = query.size === 0 ? '' : `?${escapeMarkup(String(query))}`;
    return `${this.#base}/ui/traces/${pathSegment(traceId)}${selection}`;
  }

  issue(issueId: string): string {
    return `${this.#base}/ui/issues/${pathSegment(issueId)}`;
  }
}

function pathSegment(text: string): string {
  return escapeMarkup(encodeURIComponent(text));
}

/** The characters that neither encoder escapes, and that end a link or mark text in chats. */
function escapeMarkup(text: string): string {
  return text.replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
