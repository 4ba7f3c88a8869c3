/** Placeholder messages for a failure that a sender recorded without a reason; not the sender's words. */
export const PLACEHOLDER_ERROR = {
  model: 'the model call failed',
  refused: 'the call was refused',
  stream: 'the stream ended with an error',
  n8nNode: 'The node failed without a message.',
  n8nExecution: 'The execution failed; n8n sent no message.',
  server: 'The server gave no error text.',
  bare: 'error',
  flag: 'error: true',
} as const;

const OWN: ReadonlySet<string> = new Set(Object.values(PLACEHOLDER_ERROR));

/** Whether a message is such a placeholder and must not be quoted as the sender's. */
export function isPlaceholderError(message: string): boolean {
  return message.trim() === '' || OWN.has(message);
}
