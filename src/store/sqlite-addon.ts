import BetterSqlite3 from 'better-sqlite3';

/** Loads SQLite's native addon into this thread. Opening a store does the same; here it happens at a chosen time. */
export function loadAddon(addonPath: string | undefined): void {
  new BetterSqlite3(':memory:', { nativeBinding: addonPath }).close();
}
