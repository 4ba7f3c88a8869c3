import type { NotificationPreferencesChange } from '../../../client/misstep-client.generated.ts';

/** Saves a change of the preferences, and says `done` when it is saved. */
export type SaveAlerts = (change: NotificationPreferencesChange, done: string) => Promise<void>;
