import { MisstepError } from '../../client/misstep-client.generated.ts';

/** What went wrong, as one sentence for a person. */
export interface ProblemText {
  text: string;
  /** Finds the request in the server's log. */
  requestId: string | null;
  /** Whether the same call may succeed later. */
  canRetry: boolean;
  /** Seconds after which the server asks to try again. */
  retryAfterSeconds: number | null;
  /** The session has ended: sign in again. */
  needsSignIn: boolean;
}

const RETRYABLE = [408, 425, 429, 500, 502, 503, 504];

export function problemTextOf(thrown: unknown): ProblemText {
  if (thrown instanceof MisstepError) {
    const { status, problem, retryAfterSeconds } = thrown;
    return {
      text: sentenceOf(thrown),
      requestId: problem?.request_id ?? null,
      canRetry: RETRYABLE.includes(status),
      retryAfterSeconds,
      needsSignIn: status === 401,
    };
  }
  const isNetwork = thrown instanceof TypeError;
  return {
    text: isNetwork ? 'The server does not respond.' : 'An error occurred in the page.',
    requestId: null,
    canRetry: isNetwork,
    retryAfterSeconds: null,
    needsSignIn: false,
  };
}

/** Whether a call was stopped because nothing waits for it. */
export function isAborted(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

function sentenceOf({ status, problem }: MisstepError): string {
  if (status === 401) return 'You are signed out.';
  // A proxy may send a problem of its own, with members of its own.
  if (problem === null || !Array.isArray(problem.errors))
    return `A proxy between this page and the server responded with status ${status}.`;
  if (problem.code === 'forbidden') return 'Your key does not allow this.';
  const [first] = problem.errors;
  const detail = problem.detail === '' ? problem.title : problem.detail;
  return first === undefined
    ? asSentence(detail)
    : `${asSentence(detail)} ${asSentence(`${first.pointer}: ${first.message}`)}`;
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
