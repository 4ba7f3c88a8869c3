/** The name stands in the text as a word of its own. */
export function hasWord(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at !== -1 && !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '');
}
