import { type Fields, fieldsOf, listOf, textOf } from './json-value.ts';

/** A message line of a Claude Code transcript, or a subagent's message inside a progress line. */
export interface ClaudeLine {
  role: 'user' | 'assistant';
  message: Fields;
  uuid: string;
  parentUuid: string;
  timestamp: string;
  /** `toolUseResult`, which the program stores next to a result. */
  summary: unknown;
  isSubagent: boolean;
  isMeta: boolean;
  isApiError: boolean;
}

export function linesOf(record: Fields): ClaudeLine[] {
  if (record.type === 'user' || record.type === 'assistant') return [lineOf(record, record.isSidechain === true)];
  const data = fieldsOf(record.data);
  const inner = fieldsOf(data.message);
  if (record.type !== 'progress' || data.type !== 'agent_progress') return [];
  return inner.type === 'user' || inner.type === 'assistant' ? [lineOf(inner, true)] : [];
}

function lineOf(record: Fields, isSubagent: boolean): ClaudeLine {
  return {
    role: record.type === 'assistant' ? 'assistant' : 'user',
    message: fieldsOf(record.message),
    uuid: textOf(record.uuid),
    parentUuid: textOf(record.parentUuid),
    timestamp: textOf(record.timestamp),
    summary: record.toolUseResult,
    isSubagent,
    isMeta: record.isMeta === true,
    isApiError: record.isApiErrorMessage === true,
  };
}

/** The texts of a line that are not results of tools. */
export function promptTexts(line: ClaudeLine): string[] {
  const content = line.message.content;
  if (typeof content === 'string') return [content];
  const blocks = listOf(content).map(fieldsOf);
  return blocks.filter((block) => block.type === 'text').map((block) => textOf(block.text));
}

export function isInterruptText(text: string): boolean {
  return /^\[Request interrupted by user( for tool use)?\]/.test(text.trim());
}
