import type { Mutant } from './mutants.ts';

export interface FileResult {
  file: string;
  mutants: readonly Mutant[];
  survivors: readonly Mutant[];
}

const GOAL_PERCENT = 85;

export function killedPercent(results: readonly FileResult[]): number {
  const sum = (count: (result: FileResult) => number) => results.reduce((total, result) => total + count(result), 0);
  const all = sum(({ mutants }) => mutants.length);
  return all === 0 ? 100 : (100 * (all - sum(({ survivors }) => survivors.length))) / all;
}

/** The page `docs/mutation.md`. */
export function mutationPage(results: readonly FileResult[]): string {
  const rows = results.map((result) => {
    const { file, mutants, survivors } = result;
    return `| \`${file}\` | ${mutants.length} | ${mutants.length - survivors.length} | ${killedPercent([result]).toFixed(0)} % |`;
  });
  const left = results.flatMap(({ file, survivors }) =>
    survivors.map(({ line, description }) => `| \`${file}:${line}\` | \`${description.replaceAll('|', '\\|')}\` |`),
  );
  return `# Mutation tests

Written by \`npm run mutate -- --write\`; do not edit. Each file below decides about money, access, alerts, leases or deletion. The command
changes it in one place, runs its tests, and expects one to fail ("killed"). \`scripts/mutate/mutants.ts\` lists the changes,
\`scripts/mutate/targets.ts\` the files and their tests. It is not part of \`npm test\`.

**${killedPercent(results).toFixed(1)} % of the mutants are killed; the goal is ${GOAL_PERCENT} %.**

| file | mutants | killed | share |
|---|---|---|---|
${rows.join('\n')}

## Mutants that survive

Some are equivalent: no input makes a difference.

| place | change |
|---|---|
${left.join('\n')}
`;
}
