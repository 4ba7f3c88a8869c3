/** Measures `injection` and `hallucination` on whole runs with the shipped `detect()`. `--help` lists the options. */
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA } from '../fit/load-set.ts';
import type { SourceFigures } from './in-runs/injection-in-runs.ts';

const HELP = `node scripts/evaluate/in-runs.ts injection|hallucination [options]
  --data DIR     folder of the sets (default ${DEFAULT_DATA})
  --set NAME     only this source; may be repeated
  --model DIR    text model of \`injection\` in DIR instead of the shipped one, fitted without the sources that are measured
                 (node scripts/fit/injection.ts --without SET --write --out DIR)
  --shares FILE  with --model: write the counts there; without: use them instead of those of the shipped model
  --fired FILE   one line for each run on which a subtype of injection fired
  --write        write src/detectors/attack-figures.generated.json
Previews are reported as if the detector was enabled.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: DEFAULT_DATA },
    set: { type: 'string', multiple: true, default: [] },
    model: { type: 'string' },
    shares: { type: 'string' },
    fired: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const isSelected = (source: string) => options.set.length === 0 || options.set.includes(source);
const share = (hits: number, n: number) => (n === 0 ? '–' : `${hits}/${n}`);

if (options.model !== undefined) {
  const other = pathToFileURL(resolve(options.model, 'model.generated.json')).href;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url.endsWith('/injection/model.generated.json') ? { ...found, url: other } : found;
    },
  });
}

if (options.help || positionals.length !== 1) console.log(HELP);
else if (positionals[0] === 'injection') await measureInjection();
else if (positionals[0] === 'hallucination') await measureAnswers();
else console.log(HELP);

async function measureInjection(): Promise<void> {
  // Imported here, after the hook above is registered.
  const { INJECTION_SOURCES, sourceFigures } = await import('./in-runs/injection-in-runs.ts');
  const { attackFile } = await import('./in-runs/attack-file.ts');
  const lines: string[] = [];
  const settings = {
    data: options.data,
    isWithout: options.model !== undefined,
    log: (line: string) => lines.push(line),
  };
  const given: SourceFigures[] =
    options.shares !== undefined && options.model === undefined
      ? (JSON.parse(readFileSync(options.shares, 'utf8')) as SourceFigures[])
      : [];
  const all = INJECTION_SOURCES.filter(isSelected).flatMap(
    (source) => given.find((figures) => figures.source === source) ?? sourceFigures(source, settings) ?? [],
  );
  for (const figures of all) printSource(figures);
  if (options.fired !== undefined) writeFileSync(options.fired, `${lines.join('\n')}\n`);
  if (options.shares !== undefined && options.model !== undefined) writeFileSync(options.shares, JSON.stringify(all));
  const file = new URL('../../src/detectors/attack-figures.generated.json', import.meta.url);
  if (options.write) writeFileSync(file, attackFile(all, new Date().toISOString().slice(0, 10)));
}

function printSource({ source, isLeftOut, fired, attacked, clean, obeyed, resisted, cleanCould }: SourceFigures): void {
  const of = (subtype: 'obeyed' | 'indirect' | 'direct') =>
    `${subtype} attacked ${share(fired[subtype].attacked, attacked)} clean ${share(fired[subtype].clean, clean)}`;
  console.log(`${source}${isLeftOut ? ' (not fitted on)' : ''}: ${of('indirect')}; ${of('direct')}; ${of('obeyed')}`);
  console.log(
    `  obeyed, of runs that reached the goal of the attack ${share(fired.obeyed.obeyed, obeyed)}, of those that did not ${share(fired.obeyed.resisted, resisted)}`,
  );
  console.log(
    `  clean runs with a result ${cleanCould.indirect}, before a call with effects ${cleanCould.effect}, with a suspicious part before one ${cleanCould.obeyed}`,
  );
}

async function measureAnswers(): Promise<void> {
  const { ANSWER_SOURCES, answerFigures } = await import('./in-runs/answers-in-runs.ts');
  for (const source of ANSWER_SOURCES.filter(isSelected)) {
    const figures = answerFigures(source, options.data);
    if (figures === null) continue;
    const { fired, warned, unsupported, supported } = figures;
    console.log(
      `${source}: fired on ${share(fired.unsupported, unsupported)} unsupported and ${share(fired.supported, supported)} supported; ` +
        `warning ${share(warned.unsupported, unsupported)} and ${share(warned.supported, supported)}`,
    );
  }
}
