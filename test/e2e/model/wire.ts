import type { ModelReply, ModelUsage } from './script.ts';

/** An answer over HTTP: one JSON document, or server-sent events. */
export type WireAnswer =
  | { json: object; status?: number }
  | { events: readonly { type: string }[] }
  | { chunks: readonly object[]; isEndless?: boolean };

/** Values that differ between responses. */
export interface Stamp {
  /** Counter of the server's responses. */
  number: number;
  unixSeconds: number;
  usage: ModelUsage;
}

/** Reads JSON without trusting its shape. */
export type Loose = { [key: string]: unknown };

export const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n');
};

export const callOf = (reply: ModelReply) => ('call' in reply ? reply.call : null);
export const argumentsText = (call: { arguments: object } | { free: string }): string =>
  'free' in call ? call.free : JSON.stringify(call.arguments);
export const nameOf = (call: Loose | undefined): string | null => (call === undefined ? null : String(call.name));
