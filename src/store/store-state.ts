import { StoreFault } from './store-fault.ts';

/** Whether the open store is intact. The first fault stays until the process ends. */
export class StoreState {
  readonly file: string;
  #fault: StoreFault | null = null;
  readonly #listeners: ((fault: StoreFault) => void)[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** Null while no fault is known. */
  get fault(): StoreFault | null {
    return this.#fault;
  }

  onFault(listener: (fault: StoreFault) => void): void {
    if (this.#fault) listener(this.#fault);
    else this.#listeners.push(listener);
  }

  /** @param detail SQLite's message */
  reportDamage(detail: string, cause?: unknown): StoreFault {
    if (this.#fault !== null) return this.#fault;
    this.#fault = new StoreFault('damaged', this.file, { detail: firstIntegrityLine(detail), cause });
    for (const listener of this.#listeners) listener(this.#fault);
    return this.#fault;
  }
}

const MAX_DETAIL_LENGTH = 80;

/** SQLite lists one problem per line below a heading. */
function firstIntegrityLine(detail: string): string {
  const line = detail.split('\n').find((one) => one !== '' && !one.startsWith('***')) ?? detail;
  return line.length > MAX_DETAIL_LENGTH ? `${line.slice(0, MAX_DETAIL_LENGTH)}…` : line;
}
