import { basename } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Span } from '../../core/span.ts';

/** Cline writes the facts of a session to `<session>.json` and its messages to `<session>.messages.json`. */
const PART = /(?:\.messages)?\.json(?:\.gz)?$/i;
const MESSAGES = /\.messages\.json(?:\.gz)?$/i;
const FACTS_SCOPE = 'cline.session';

/** The inputs, in order; the two files of a session are one entry. */
export function groupParts(inputs: readonly string[]): string[][] {
  const groups = Map.groupBy(new Set(inputs), (input) => (PART.test(input) ? input.replace(PART, '') : input));
  return [...groups.values()].flatMap((group) =>
    group.length === 2 && group.filter((input) => MESSAGES.test(input)).length === 1
      ? [group]
      : group.map((input) => [input]),
  );
}

/** @throws AppError `usage` if the spans contain the facts of a session of Cline without its messages */
export function assertHasMessages(spans: readonly Span[], source: string | null): void {
  if (spans.length === 0 || spans.some(({ scope }) => scope.name !== FACTS_SCOPE)) return;
  const messages =
    source === null ? 'the .messages.json file beside it' : basename(source).replace(PART, '.messages.json');
  throw new AppError(
    'usage',
    `${source ?? 'standard input'} has no messages of its session. They are in ${messages}: name both files.`,
  );
}
