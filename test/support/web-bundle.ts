import { bundleWeb } from '../../scripts/build/bundle-web.ts';
import { toWebFiles, type WebFiles } from '../../src/app/web-files.ts';

let made: Promise<WebFiles> | null = null;

/** The web page, bundled from the sources once per process. */
export function bundledWebFiles(): Promise<WebFiles> {
  made ??= bundleWeb().then(({ web }) => toWebFiles(JSON.stringify(web)));
  return made;
}
