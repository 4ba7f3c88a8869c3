/** Messages of decoders for a failure that a sender recorded without a reason; not the sender's words. */
export const PLACEHOLDER_ERROR = {
  model: 'the model call failed',
  modelCode: 'model_error',
  apiCode: 'api_error',
  toolCode: 'tool_error',
  attempt: 'the attempt failed',
  refused: 'the call was refused',
  stream: 'the stream ended with an error',
  run: 'The run failed.',
  job: 'The job failed.',
  delivery: 'The message was not delivered.',
  n8nNode: 'The node failed without a message.',
  n8nItem: 'The item left the node by its error output.',
  n8nExecution: 'The execution failed; n8n sent no message.',
  n8nExecutionWithoutData: 'The execution failed; n8n sent no data about where.',
  server: 'The server gave no error text.',
  bare: 'error',
  flag: 'error: true',
} as const;

/** Messages of decoders that state other facts of the record; `{}` marks the place of a fact. Not the sender's words. */
const WRITTEN_ERROR = {
  modelCall: 'the model call failed: {}',
  exitCode: 'The program ended with exit code {}.',
  refusedBy: 'refused by {}',
  interruptedBy: 'interrupted by {}',
  endedAs: 'ended as {}',
  runTimeout: 'The run timed out.',
  runEnded: 'The run ended with status {}.',
  subagentEnded: 'The subagent ended: {}.',
  n8nCrash: 'The execution crashed: n8n stopped while it ran.',
  n8nTimeout: 'The execution was cancelled because it timed out after {} seconds.',
  n8nTimeoutIn: 'The execution was cancelled because it timed out after {} seconds; {} had not finished.',
  n8nNodeEnded: 'n8n ended the node: {}.',
  n8nItems: 'The item left the node by its error output. ({} of {} items)',
  n8nNodeItems: 'The node failed ({} of {} items)',
} as const;

export type WrittenError = keyof typeof WRITTEN_ERROR;
export const WRITTEN_ERRORS = Object.keys(WRITTEN_ERROR) as WrittenError[];

/** A message that states facts of the record instead of the sender's words. */
export function writtenError(name: WrittenError, ...facts: readonly (string | number)[]): string {
  let at = 0;
  return WRITTEN_ERROR[name].replaceAll('{}', () => String(facts[at++] ?? ''));
}

const PLACEHOLDERS: ReadonlySet<string> = new Set(Object.values(PLACEHOLDER_ERROR));

/** Whether a message says no more than that something failed. */
export function isPlaceholderError(message: string): boolean {
  return message.trim() === '' || PLACEHOLDERS.has(message);
}

/** Whether a decoder wrote the message, so that it must not be quoted as the sender's. */
export function isDecoderError(message: string): boolean {
  return isPlaceholderError(message) || Object.values(WRITTEN_ERROR).some((template) => isMadeFrom(template, message));
}

/** Whether the message is the template with some text for each fact. */
function isMadeFrom(template: string, message: string): boolean {
  const [start = '', ...rest] = template.split('{}');
  if (!message.startsWith(start)) return false;
  let at = start.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast ? message.length - part.length : message.indexOf(part, at + 1);
    if (end <= at || !message.startsWith(part, end)) return false;
    at = end + part.length;
  }
  return at === message.length && !message.slice(start.length).includes('\n');
}
