import type { Metafile } from 'esbuild';
import { packageFolderOf } from './locked-packages.ts';

/** Folders of the packages with code in the outputs. A module without code in the output does not count. */
export function packagesIn({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => packageFolderOf(path) ?? []);
}
