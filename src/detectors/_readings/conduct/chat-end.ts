/** The word with which a message ends a chat in AutoGen and AG2, also in bold or as code. */
const ENDS_CHAT = /(?:^|[\s*`_])TERMINATE[\s.!*`_]{0,8}$/;

/** Whether a message ends the chat, so that no runner receives its code. */
export function endsChat(text: string): boolean {
  return ENDS_CHAT.test(text);
}
