import type { NotificationPreferencesChange } from '../../../client/misstep-client.generated.ts';

/** Saves a change of the preferences, then shows `successMessage`. */
export type SaveAlerts = (change: NotificationPreferencesChange, successMessage: string) => Promise<void>;
