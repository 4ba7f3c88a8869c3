/** The value of `gen_ai.output.messages` or `gen_ai.input.messages` for one text message. */
export function textMessage(role: 'user' | 'assistant', content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
