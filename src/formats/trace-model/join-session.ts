import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { joinByContents } from './join-by-contents.ts';
import { joinInOrder } from './join-in-order.ts';
import { placeSubagents } from './place-subagents.ts';

type Join = (spans: readonly Span[]) => readonly Span[];

/** How to join the sources of each agent's session: hooks, log events, spans and the session file. */
const JOINS: ReadonlyMap<unknown, Join> = new Map<string, Join>([
  ['claude-code', (spans) => joinByContents(placeSubagents(spans))],
  ['codex', joinInOrder],
  ['gemini-cli', joinInOrder],
  ['qwen-code', joinInOrder],
  ['copilot-cli', joinInOrder],
  ['opencode', joinInOrder],
]);

/**
 * One coding session with each step once, whichever sources report it. Steps with an id that the sources share are already
 * one span. The spans of every other trace are returned unchanged.
 */
export function joinSession(spans: readonly Span[]): readonly Span[] {
  for (const { attributes } of spans) {
    const join = JOINS.get(attributes[MISSTEP.framework]);
    if (join !== undefined) return join(spans);
  }
  return spans;
}
