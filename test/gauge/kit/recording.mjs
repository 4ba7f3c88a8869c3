// Files of recorded runs: a head line for the program, then one JSON line for each run, under Brotli.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const SUFFIX = '.jsonl.br';
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 };

export function writeRecording(folder, head, runs) {
  const lines = [head, ...runs].map((line) => JSON.stringify(line)).join('\n');
  const packed = brotliCompressSync(`${lines}\n`, { params });
  writeFileSync(`${folder}/${head.framework}.${head.name}${SUFFIX}`, packed);
  return packed.length;
}

/** A table of all runs, with the fault, agent and step of failing runs. */
export function writeIndex(folder) {
  const rows = [['framework', 'program', 'pattern', 'run', 'agent', 'step', 'what fails', 'expected types']];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()) {
    const [head, ...runs] = brotliDecompressSync(readFileSync(`${folder}/${file}`))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const { run, agent, step, fault, expect } of runs)
      rows.push([
        head.framework,
        head.name,
        head.pattern,
        run,
        agent ?? '',
        step ?? '',
        fault ?? '',
        expect?.join(' ') ?? '',
      ]);
  }
  writeFileSync(`${folder}/index.tsv`, `${rows.map((row) => row.join('\t')).join('\n')}\n`);
}
