import { contentText, type Fields, textOf } from './json-value.ts';

/**
 * Finds the call that started a process. A running command is identified by a session id, a running script by a cell id.
 * Later calls poll either (`write_stdin`, `wait`), and the first poll of a script can reveal the session id.
 */
export class ProcessStarts {
  readonly #byProcess = new Map<string, string>();

  startOf(id: string, call: Fields, output: Fields): string {
    const args = textOf(call.input) || textOf(call.arguments);
    const polled = /(?:"cell_id"|\bcell_id)\s*:\s*"?(\w+)/.exec(args)?.[1];
    const session = /(?:"session_id"|\bsession_id)\s*:\s*"?(\d+)/.exec(args)?.[1];
    const start =
      (polled && this.#byProcess.get(`cell ${polled}`)) ?? (session && this.#byProcess.get(`session ${session}`)) ?? id;
    const text = contentText(output.output);
    for (const process of runningIn(text)) if (!this.#byProcess.has(process)) this.#byProcess.set(process, start || id);
    return start || id;
  }
}

function runningIn(text: string): string[] {
  const cell = /^Script running with cell ID (\w+)/.exec(text)?.[1];
  const session = /(?:"session_id":|SESSION(?:_ID)?[=:]|session ID )\s*(\d+)/.exec(text)?.[1];
  return [...(cell ? [`cell ${cell}`] : []), ...(session ? [`session ${session}`] : [])];
}
