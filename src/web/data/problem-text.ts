import { MisstepError } from '../../client/misstep-client.generated.ts';

/** An error as one sentence for the user. */
export interface ProblemText {
  text: string;
  /** The id of the request in the server's log. */
  requestId: string | null;
  /** Whether the requested object does not exist, or not in this tenant. */
  isMissing: boolean;
  /** Whether the same call may succeed later. */
  canRetry: boolean;
  /** Seconds from the `Retry-After` header. */
  retryAfterSeconds: number | null;
  /** The session has ended. */
  needsSignIn: boolean;
}

const RETRYABLE = [408, 425, 429, 500, 502, 503, 504];

export function problemTextOf(error: unknown): ProblemText {
  if (error instanceof MisstepError) {
    const { status, problem, retryAfterSeconds } = error;
    return {
      text: sentenceOf(error),
      requestId: problem?.request_id ?? null,
      isMissing: problem?.code === 'not_found',
      canRetry: RETRYABLE.includes(status),
      retryAfterSeconds,
      needsSignIn: status === 401,
    };
  }
  const isNetwork = error instanceof TypeError;
  return {
    text: isNetwork ? 'The server does not respond.' : 'An error occurred in the page.',
    requestId: null,
    isMissing: false,
    canRetry: isNetwork,
    retryAfterSeconds: null,
    needsSignIn: false,
  };
}

/** Why the server rejects a member of the body, as a sentence; null if the error is not about it. @param pointer of the member, or of what contains it */
export function fieldProblemOf(error: unknown, pointer: string): string | null {
  const errors = error instanceof MisstepError && Array.isArray(error.problem?.errors) ? error.problem.errors : [];
  const [first] = errors.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  if (first === undefined) return null;
  // Most messages are predicates, such as "is required".
  return asSentence(/^[a-z]/.test(first.message) ? `It ${first.message}` : first.message);
}

/** Whether a request was aborted because no view needs it. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function sentenceOf({ status, problem }: MisstepError): string {
  if (status === 401) return 'You are signed out.';
  // A proxy may send another kind of problem, without our members.
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
