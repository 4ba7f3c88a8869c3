export interface StorePulse {
  stop(): void;
}

export interface StorePulseOptions {
  /** Another text than before where something was written since, by whomever. */
  changeMark(): string;
  onChange(): void;
  onError(error: unknown): void;
}

const EVERY_MS = 1_000;

/** Tells when somebody wrote to the store: one cheap look in place of every loop's own. */
export function startStorePulse({ changeMark, onChange, onError }: StorePulseOptions): StorePulse {
  let seen: string | null = null;

  function look(): void {
    try {
      const mark = changeMark();
      const hasChanged = mark !== seen;
      seen = mark;
      if (hasChanged) onChange();
    } catch (error) {
      onError(error);
    }
  }

  const timer = setInterval(look, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
