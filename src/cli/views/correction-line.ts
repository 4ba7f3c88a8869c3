import type { FolderCorrection } from '../../store/data-folder/check-data-folder.ts';
import { printableLine } from './printable.ts';

/** Reports changed permissions. */
export function correctionLine({ path, before, after }: FolderCorrection): string {
  return printableLine(`misstep: ${path} was open to other users (mode ${before}); its mode is now ${after}`);
}
