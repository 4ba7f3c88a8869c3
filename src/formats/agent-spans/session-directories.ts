/** Names in the spans of one OTLP trace. */
interface TraceNames {
  sessions: Set<string>;
  directories: Set<string>;
}

/**
 * The working directory of each session, from spans that name one. Codex names it in a span without the session id, so the
 * trace links the two. Contradicting names within a trace or session are ignored.
 */
export class SessionDirectories {
  readonly #traces = new Map<string, TraceNames>();

  addSpan(traceId: string, sessionId: string | null, directory: string | null): void {
    if (sessionId === null && directory === null) return;
    const traceNames = this.#traces.get(traceId) ?? { sessions: new Set(), directories: new Set() };
    if (sessionId !== null) traceNames.sessions.add(sessionId);
    if (directory !== null) traceNames.directories.add(directory);
    this.#traces.set(traceId, traceNames);
  }

  bySession(): ReadonlyMap<string, string | null> {
    const found = new Map<string, string | null>();
    for (const { sessions, directories } of this.#traces.values()) {
      const [[session], [directory]] = [sessions, directories];
      if (session === undefined || directory === undefined || sessions.size > 1) continue;
      const known = found.get(session);
      const isSame = directories.size === 1 && (known === undefined || known === directory);
      found.set(session, isSame ? directory : null);
    }
    return found;
  }
}
