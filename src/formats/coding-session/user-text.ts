const BLOCK_BEGINS = /^\s*<([a-z][a-z0-9_-]{0,60}[_-](?:context|reminder|instructions|datetime))>/i;

/**
 * The text that the user typed. Blocks that a program added before it, such as `<session_context>…</session_context>`, are
 * omitted.
 */
export function userText(text: string): string {
  let rest = text;
  for (let begin = BLOCK_BEGINS.exec(rest); begin !== null; begin = BLOCK_BEGINS.exec(rest)) {
    const end = `</${begin[1] as string}>`;
    const at = rest.indexOf(end);
    if (at < 0) break;
    rest = rest.slice(at + end.length);
  }
  return rest.trim();
}

/** A command of the program without arguments, such as `/model`, is not a task. */
export function isBareCommand(text: string): boolean {
  return /^\/[\w:.-]{1,60}$/.test(text.trim());
}
