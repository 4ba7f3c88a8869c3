import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import type { Json } from '../../core/json.ts';

/** The formatting of a text. */
export interface Layout {
  /** One step of indentation. */
  indent: string;
  lineEnd: '\n' | '\r\n';
}

/** Indentation and line ends of the text; two spaces if unknown. */
export function layoutOf(text: string): Layout {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return { indent, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/**
 * Adds a member to the object, or an item to the list, at `path`, after the existing ones. Comments and the layout of
 * neighbours are unchanged. A single-line value stays on one line.
 *
 * @param name of the member; null for an item
 */
export function insertJson(text: string, path: JSONPath, name: string | null, value: Json, layout: Layout): string {
  const tree = parseTree(text, [], { allowTrailingComma: true }) as Node;
  const container = (path.length === 0 ? tree : findNodeAtLocation(tree, path)) as Node;
  const last = container.children?.at(-1);
  const key = name === null ? '' : `${JSON.stringify(name)}: `;
  const { lineEnd, indent } = layout;
  const onLines = (lead: string) => key + JSON.stringify(value, null, indent).replaceAll('\n', lineEnd + lead);
  if (last === undefined) {
    const lead = leadOf(text, container.offset).blank;
    const rest = text.slice(container.offset + 1, container.offset + container.length - 1);
    const close = /^\s*$/.test(rest) && !rest.includes('\n') ? lineEnd + lead : '';
    return splice(text, container.offset + 1, lineEnd + lead + indent + onLines(lead + indent) + close);
  }
  const lead = leadOf(text, last.offset);
  const added = lead.isAll ? lineEnd + lead.blank + onLines(lead.blank) : ` ${key}${JSON.stringify(value)}`;
  return splice(text, last.offset + last.length, `,${added}`);
}

/** Leading whitespace of the line, and whether nothing else precedes the offset. */
function leadOf(text: string, offset: number): { blank: string; isAll: boolean } {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const blank = /^[ \t]*/.exec(line)?.[0] ?? '';
  return { blank, isAll: blank === line };
}

function splice(text: string, offset: number, added: string): string {
  return text.slice(0, offset) + added + text.slice(offset);
}
