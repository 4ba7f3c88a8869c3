/**
 * Writes the whole predictions format for labelled records, with `trail`. The predictions of the product itself: `misstep
 * analyze --records`.
 */

import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { predictAll } from './predict-all.ts';

const HELP = `npm run predict -- --records IN --predictions OUT
  --records IN       records, one a line; .gz is unpacked
  --predictions OUT  one prediction a line, in the order of the records`;

const { values: options } = parseArgs({
  options: {
    records: { type: 'string' },
    predictions: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else if (options.records === undefined || options.predictions === undefined) {
  console.error(HELP);
  process.exitCode = 2;
} else {
  try {
    await run(options.records, options.predictions);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    // Node's message names the file: `ENOENT: no such file or directory, open 'runs.jsonl'`.
    console.error(`predict: ${error.message}`);
    process.exitCode = 2;
  }
}

async function run(from: string, to: string): Promise<void> {
  const file = (await open(from)).createReadStream();
  const input = from.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  const lines: string[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) lines.push(line);
  const target = (await open(to, 'w')).createWriteStream();
  const predictions = predictAll(lines, () => performance.now());
  for (const prediction of predictions)
    if (!target.write(`${JSON.stringify(prediction)}\n`)) await once(target, 'drain');
  target.end();
  await once(target, 'finish');
  const refused = predictions.filter((one) => 'error' in one).length;
  console.error(`predict: ${predictions.length - refused} records judged, ${refused} not`);
}
