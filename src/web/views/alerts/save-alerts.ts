import type { NotificationPreferencesChange } from '../../../client/misstep-client.generated.ts';

/**
 * Saves a change of the preferences, then shows `successMessage`.
 * @param fieldPointer of the members that the form has a field for
 * @returns why the server rejects that field; any other failure is shown as a message
 */
export type SaveAlerts = (
  change: NotificationPreferencesChange,
  successMessage: string,
  fieldPointer?: string,
) => Promise<string | null>;
