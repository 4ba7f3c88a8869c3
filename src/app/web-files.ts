import { readFileSync, statSync } from 'node:fs';
import { isExecutable, loadAsset } from './runtime-assets.ts';

/** A file of the web page; its name contains a hash of its content. */
export interface WebFile {
  contentType: string;
  content: Buffer;
  brotli: Buffer;
}

/** The built web page. */
export interface WebFiles {
  /** HTML; `{{base}}` is a placeholder for the server's base path. */
  page: string;
  /** Files by name. */
  files: ReadonlyMap<string, WebFile>;
}

/** Returns the files of the page; null when run from sources that were not built. */
export type ReadWebFiles = () => WebFiles | null;

/** In the executable the files are read once; when run from sources they are read again after each build. */
export function createReadWebFiles(): ReadWebFiles {
  if (isExecutable()) {
    let files: WebFiles | null = null;
    return () => {
      files ??= toWebFiles(loadAsset('web.json').toString());
      return files;
    };
  }
  return readWhenChanged(new URL('../../dist/parts/web.json', import.meta.url));
}

function readWhenChanged(file: URL): ReadWebFiles {
  let read: { at: number; files: WebFiles } | null = null;
  return () => {
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (at === undefined) return null;
    if (read?.at !== at) read = { at, files: toWebFiles(readFileSync(file, 'utf8')) };
    return read.files;
  };
}

/** @param text JSON from `scripts/build/bundle-web.ts` */
export function toWebFiles(text: string): WebFiles {
  const { page, files } = JSON.parse(text) as {
    page: string;
    files: Record<string, { type: string; content: string; brotli: string }>;
  };
  const decoded = Object.entries(files).map(([name, { type, content, brotli }]): [string, WebFile] => [
    name,
    { contentType: type, content: Buffer.from(content, 'base64'), brotli: Buffer.from(brotli, 'base64') },
  ]);
  return { page, files: new Map(decoded) };
}
