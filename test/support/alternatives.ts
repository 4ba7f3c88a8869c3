/**
 * What stands between the outermost `|` of an expression, each an expression of its own. They are tried one after the other at each
 * place and nothing follows them, so the whole is slow where one of them is.
 * @returns the whole where one part speaks of a group that another may hold
 */
export function alternatives(source: string): string[] {
  if (/\\(?:[1-9]|k<)/.test(source)) return [source];
  const parts = [''];
  let depth = 0;
  let isInClass = false;
  for (const [sign] of source.matchAll(/\\?./gsu)) {
    if (isInClass) isInClass = sign !== ']';
    else if (sign === '[') isInClass = true;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    if (sign === '|' && depth === 0 && !isInClass) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}
