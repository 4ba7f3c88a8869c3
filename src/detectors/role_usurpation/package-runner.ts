import type { ShellCall } from '../_readings/shell/shell-calls.ts';

const RUNNERS = /^(?:npx|bunx|pnpx)$/;
const RUNNERS_WITH_VERB = /^(?:pnpm|yarn|bun|bundle|poetry|pipenv|uv|npm)$/;
const VERB = /^(?:exec|dlx|run|x)$/;
/** Programs that Yarn and pnpm also start by their bare name; only those that matter here. */
const BARE_PROGRAMS = /^(?:prisma|sequelize|sequelize-cli|typeorm)$/;

/** The program that `npx prisma …`, `bundle exec rails …` and similar commands start, with its words; else the call itself. */
export function withoutRunner({ program, args }: ShellCall): { program: string; words: string } {
  const words = args.map(({ value }) => value);
  const hasVerb = RUNNERS_WITH_VERB.test(program) && VERB.test(words[0] ?? '');
  const isBare = RUNNERS_WITH_VERB.test(program) && BARE_PROGRAMS.test(words[0] ?? '');
  if (!RUNNERS.test(program) && !hasVerb && !isBare) return { program, words: words.join(' ') };
  const rest = hasVerb ? words.slice(1) : words;
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const [first, ...others] = at === -1 ? [] : rest.slice(at);
  return { program: packageName(first ?? ''), words: others.join(' ') };
}

/** `prisma@5` and `@scope/prisma` start `prisma`. */
function packageName(text: string): string {
  const at = text.lastIndexOf('@');
  const name = at > 0 ? text.slice(0, at) : text;
  return name.slice(name.lastIndexOf('/') + 1);
}
