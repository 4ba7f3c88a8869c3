import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectionPage, type FoundDetection } from './detection-page.ts';

/** Writes a page for each detection, and an index that begins with the summary. @returns path of the index */
export function writeDetectionPages(
  out: string,
  detections: readonly FoundDetection[],
  summary: string,
  notes: readonly string[] = [],
): string {
  mkdirSync(out, { recursive: true });
  const rows = detections.map((one, at) => {
    const name = `${String(at + 1).padStart(3, '0')}.md`;
    writeFileSync(join(out, name), detectionPage(at + 1, one));
    const { severity, type, subtype } = one.detection;
    return `| [${at + 1}](${name}) | ${severity} | ${type}/${subtype} | ${one.file} |`;
  });
  const index = [summary, '', '| page | severity | detection | file |', '|---|---|---|---|', ...rows, ...notes, ''];
  writeFileSync(join(out, 'index.md'), index.join('\n'));
  return join(out, 'index.md');
}
