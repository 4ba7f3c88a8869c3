import { signal } from '@preact/signals';

/** Whether a request failed because the session has ended while the page was open. */
export const isSignedOut = signal(false);
