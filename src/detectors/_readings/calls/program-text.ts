/** Statements that natural language and shell commands do not contain. */
const STATEMENT =
  /^\s{0,80}(?:(?:async )?def \w{1,80}\(|class \w{1,80}\b.{0,120}[:{]$|import [\w.]{1,80}(?:$| as \w|,)|from [\w.]{1,80} import |print\(|console\.log\(|(?:const|let|var) [\w{[]|(?:async )?function \w{0,80}\(|func \w|fn \w|pub |#include|package \w{1,40};?$|using \w|for .{1,200} in .{1,200}:$|while .{1,200}:$|assert\b)/;
const OTHER =
  /^\s{0,80}(?:return\b|(?:if|elif|with|except|else if|for|while|switch)\b.{0,300}[:{]$|(?:else|try|finally|except)\s?:?\s?\{?$|@\w|[\w.[\]'"]{1,120} ?[-+*/|]?= ?\S|[\w.]{1,120}\(.{0,400}\)?[;,]?$|[\])}]{1,8}[;,)]{0,4}$|raise\b|throw\b|yield\b|pass$|break;?$|continue;?$|del )/;
const COMMENT = /^\s{0,80}(?:#(?!include)|\/\/|\*|\/\*)/;
const DOCSTRING = /("""|''')[\s\S]{0,3000}?(?:\1|$)/g;
const READ_CHARACTERS = 4_000;
/** Minimum share of statements among the lines. Long literals and texts are on lines of their own. */
const MIN_SHARE = 0.6;

/** Whether a text is a program in a language such as Python or JavaScript, judged by the forms of its lines. */
export function isProgramText(text: string): boolean {
  const lines = text
    .slice(0, READ_CHARACTERS)
    .replace(DOCSTRING, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !COMMENT.test(line))
    .map((line) => line.trimEnd().slice(0, 600));
  const certain = lines.filter((line) => STATEMENT.test(line)).length;
  if (certain === 0) return false;
  const all = lines.filter((line) => STATEMENT.test(line) || OTHER.test(line)).length;
  return all >= MIN_SHARE * lines.length;
}
