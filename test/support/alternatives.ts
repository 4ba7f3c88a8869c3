/**
 * The alternatives between the outermost `|` of an expression, as separate expressions. They are tried one after the other
 * at each position and nothing follows them, so the expression is slow if one of them is. @returns the whole expression if
 * an alternative refers to a group that another may contain
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
