import { resolve } from 'node:path';

/** A path is made absolute; a bare word is the name of a project. */
export function projectFilter(project: string, cwd: string): string {
  return /^\.{1,2}$|[\\/]/.test(project) ? resolve(cwd, project) : project;
}
