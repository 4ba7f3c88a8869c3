import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { detectorFiles } from './detector-files.ts';

/** `npm run new -- detector NAME`: writes the folder of a new detector, and prints the lines that register it. */
const [what, name = ''] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');

if (what !== 'detector' || name === '') stop('usage: npm run new -- detector NAME');
const folder = join(root, 'src/detectors', name);
if (existsSync(folder)) stop(`${folder} exists`);
const { files, registrations } = filesOf(name);
mkdirSync(folder);
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
console.log(`src/detectors/${name}: ${Object.keys(files).join(', ')}\n\nAdd:`);
for (const { file, line } of registrations) console.log(`  ${file}: ${line}`);
console.log('\nThen: CONTRIBUTING.md, "A detector", from step 3.');

function filesOf(detector: string) {
  try {
    return detectorFiles(detector);
  } catch (error) {
    return stop((error as Error).message);
  }
}

function stop(text: string): never {
  process.stderr.write(`misstep: ${text}\n`);
  process.exit(2);
}
