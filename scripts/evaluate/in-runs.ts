/** Measures `injection` and `hallucination` on whole runs with the shipped `detect()`. `--help` tells the options. */
import { writeFileSync } from 'node:fs';
import { dataFolder } from '../fit/load-set.ts';
import { ANSWER_SOURCES, answerFigures } from './in-runs/answers-in-runs.ts';
import { INJECTION_SOURCES, sourceFigures } from './in-runs/injection-in-runs.ts';

const HELP = `node scripts/evaluate/in-runs.ts injection|hallucination [options]
  --data DIR   folder of the sets (default ../shared/datasets/dev)
  --set NAME   only this source; may be repeated
  --fired FILE one line for each run that a subtype of injection fired on
  Previews report as if the detector was switched on.`;

const args = process.argv.slice(2);
const wanted = args.flatMap((arg, at) => (args[at - 1] === '--set' ? [arg] : []));
const isWanted = (source: string) => wanted.length === 0 || wanted.includes(source);
const share = (hits: number, n: number) => (n === 0 ? '–' : `${hits}/${n}`);

if (args[0] === 'injection') {
  const lines: string[] = [];
  for (const source of INJECTION_SOURCES.filter(isWanted)) {
    const figures = sourceFigures(source, dataFolder(), (line) => lines.push(line));
    if (figures === null) continue;
    const { fired, attacked, clean, obeyed, resisted, cleanCould, seen } = figures;
    const of = (subtype: 'obeyed' | 'indirect' | 'direct') =>
      `${subtype} attacked ${share(fired[subtype].attacked, attacked)} clean ${share(fired[subtype].clean, clean)}`;
    console.log(`${source} (${seen}): ${of('indirect')}; ${of('direct')}; ${of('obeyed')}`);
    console.log(
      `  obeyed, of runs that reached the goal of the attack ${share(fired.obeyed.obeyed, obeyed)}, of those that did not ${share(fired.obeyed.resisted, resisted)}`,
    );
    console.log(
      `  clean runs with a result ${cleanCould.indirect}, before a call with effects ${cleanCould.effect}, with a suspicious part before one ${cleanCould.obeyed}`,
    );
  }
  const file = args[args.indexOf('--fired') + 1];
  if (args.includes('--fired') && file !== undefined) writeFileSync(file, `${lines.join('\n')}\n`);
} else if (args[0] === 'hallucination') {
  for (const source of ANSWER_SOURCES.filter(isWanted)) {
    const figures = answerFigures(source, dataFolder());
    if (figures === null) continue;
    const { fired, warned, unsupported, supported } = figures;
    console.log(
      `${source}: fired on ${share(fired.unsupported, unsupported)} unsupported and ${share(fired.supported, supported)} supported; ` +
        `warning ${share(warned.unsupported, unsupported)} and ${share(warned.supported, supported)}`,
    );
  }
} else {
  console.log(HELP);
  process.exitCode = args[0] === '--help' ? 0 : 64;
}
