import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addToList } from './add-to-list.ts';
import { detectorFiles, type NewDetector } from './detector-files.ts';

/** `npm run new -- detector NAME`: writes the folder of a new detector and adds it to the list of detectors. */
const [kind, name = ''] = process.argv.slice(2);
const detectors = resolve(import.meta.dirname, '../../src/detectors');

if (kind !== 'detector' || name === '') stop('usage: npm run new -- detector NAME');
const folder = join(detectors, name);
const list = join(detectors, 'registry.ts');
const { variable, files } = newDetector(name);
if (existsSync(folder)) stop(`${folder} exists`);
mkdirSync(folder);
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
writeFileSync(list, addToList(readFileSync(list, 'utf8'), name, variable));
// Imports the list, so it must be loaded after the change.
const { writeDetectionTypes } = await import('../generate-detection-types.ts');
writeDetectionTypes();
console.log(`src/detectors/${name}: ${Object.keys(files).join(', ')}`);
console.log(`src/detectors/registry.ts: ${variable}`);
console.log('src/core/detection-types.generated.ts');
console.log('\nThen: CONTRIBUTING.md, "A detector", from step 2.');

function newDetector(detector: string): NewDetector {
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
