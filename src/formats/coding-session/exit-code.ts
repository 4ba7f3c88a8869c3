/**
 * Lines that shells of coding agents write at the start or end of a result: `Exit Code: 1`, `Command exited with code 1`,
 * `[Command exited with code 1]`, `<shellId: 4 completed with exit code 1>`.
 */
const LINE =
  /^(?:exit code: (-?\d{1,10})|\[?(?:command|process) exited with (?:exit )?code (-?\d{1,10})\]?\.?|<shellid: [^<>]{1,200} (?:completed|exited) with (?:exit )?code (-?\d{1,10})>|<exited with (?:exit )?code (-?\d{1,10})>)$/i;
const LAST_LINES = 6;
const MAX_LINE_LENGTH = 250;

/** The exit code that a shell tool wrote before or after the output of the command; null without one. */
export function exitCodeIn(result: string): number | null {
  for (const line of edgeLines(result)) {
    const digits = LINE.exec(line.trim())
      ?.slice(1)
      .find((group) => group !== undefined);
    if (digits !== undefined) return Number(digits);
  }
  return null;
}

/** Last lines first: the tool's own lines usually follow the output. */
function edgeLines(text: string): string[] {
  const last = text.slice(-LAST_LINES * MAX_LINE_LENGTH).split('\n');
  return [...last.slice(-LAST_LINES).reverse(), ...text.slice(0, MAX_LINE_LENGTH).split('\n', 1)];
}
