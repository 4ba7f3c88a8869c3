/** What decoders write where a sender recorded that something failed and not why: no words of the sender. */
export const UNSTATED_ERROR = {
  model: 'the model call failed',
  refused: 'the call was refused',
  stream: 'the stream ended with an error',
  n8nNode: 'The node failed without a message.',
  n8nExecution: 'The execution failed; n8n sent no message.',
  server: 'The server gave no error text.',
  bare: 'error',
  flag: 'error: true',
} as const;

const OWN: ReadonlySet<string> = new Set(Object.values(UNSTATED_ERROR));

/** Whether a message is ours and must not be quoted as the sender's. */
export function isOwnWording(message: string): boolean {
  return message.trim() === '' || OWN.has(message);
}
