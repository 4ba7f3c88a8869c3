/** A file in a unified diff. */
export interface DiffedFile {
  path: string;
  isNew: boolean;
  isDeleted: boolean;
  /** Added lines without the sign. */
  added: string[];
  removed: string[];
}

/** Only this many characters of a diff are parsed. */
const MAX_DIFF_LENGTH = 400_000;
const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;

/**
 * The files of a unified diff, with or without git headers, in order; empty if the text contains none. Text before, between
 * and after the hunks is skipped.
 */
export function diffedFiles(text: string): DiffedFile[] {
  const reader = new DiffReader();
  for (const line of text.slice(0, MAX_DIFF_LENGTH).split('\n'))
    reader.read(line.endsWith('\r') ? line.slice(0, -1) : line);
  return reader.files;
}

class DiffReader {
  readonly files: DiffedFile[] = [];
  #old: string | null = null;
  /** Number of lines left in the hunk for the old and the new file. */
  #left = { old: 0, new: 0 };

  read(line: string): void {
    if (this.#left.old > 0 || this.#left.new > 0) {
      if (this.#readHunkLine(line)) return;
      this.#left = { old: 0, new: 0 };
    }
    if (line.startsWith('diff --git ')) this.#open(gitPath(line));
    else if (line.startsWith('new file mode ')) this.#mark({ isNew: true });
    else if (line.startsWith('deleted file mode ')) this.#mark({ isDeleted: true });
    else if (line.startsWith('--- ')) this.#old = line.slice(4);
    else if (line.startsWith('+++ ') && this.#old !== null) this.#name(this.#old, line.slice(4));
    else this.#startHunk(line);
  }

  #open(path: string): void {
    this.files.push({ path, isNew: false, isDeleted: false, added: [], removed: [] });
    this.#old = null;
  }

  #mark(facts: Partial<DiffedFile>): void {
    const file = this.files.at(-1);
    if (file !== undefined) Object.assign(file, facts);
  }

  /** Without a git header, these two lines start a file. */
  #name(before: string, after: string): void {
    const path = plain(isNullDevice(after) ? before : after);
    const last = this.files.at(-1);
    if (last === undefined || last.path !== path) this.#open(path);
    if (isNullDevice(before)) this.#mark({ isNew: true });
    if (isNullDevice(after)) this.#mark({ isDeleted: true });
    this.#old = null;
  }

  #startHunk(line: string): void {
    const hunk = line.startsWith('@@ ') && this.files.length > 0 ? HUNK.exec(line) : null;
    if (hunk !== null) this.#left = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
  }

  /** False if the line does not belong to a hunk: the diff was truncated. */
  #readHunkLine(line: string): boolean {
    const file = this.files.at(-1)!;
    const text = line.slice(1);
    if (line.startsWith('+')) {
      file.added.push(text);
      this.#left.new -= 1;
    } else if (line.startsWith('-')) {
      file.removed.push(text);
      this.#left.old -= 1;
    } else if (line.startsWith(' ') || line === '') {
      this.#left.old -= 1;
      this.#left.new -= 1;
    } else return line.startsWith('\\');
    return true;
  }
}

function isNullDevice(name: string): boolean {
  return name.startsWith('/dev/null');
}

/** `a/src/x.py` and `b/src/x.py<tab>date` as `src/x.py`. */
function plain(name: string): string {
  const path = name.split('\t', 1)[0]!.trim();
  return /^[ab]\//.test(path) ? path.slice(2) : path;
}

function gitPath(line: string): string {
  const at = line.lastIndexOf(' b/');
  return at === -1 ? line.slice('diff --git '.length).trim() : line.slice(at + 3).trim();
}
