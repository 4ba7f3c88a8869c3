import type { Registration, WebhookAccess } from '../../../client/misstep-client.generated.ts';

export type Platform = Registration['integration'];

/** A member of a registration besides its name. */
export interface IntegrationField {
  /** Name of the member in the request body. */
  name: string;
  label: string;
  hint?: string;
  /** An example of a value. */
  placeholder?: string;
  /** The field is a whole number between these two. It is sent as a number; an empty field is null. */
  numberRange?: readonly [number, number];
  isRequired?: boolean;
}

/** A kind of resource of a platform that can be registered. */
export interface IntegrationKind {
  platform: Platform;
  /** Value of `kind` in a registration. */
  kind: string;
  /** Display name, such as `n8n instance`. */
  title: string;
  url: 'required' | 'optional' | 'none';
  urlExample?: string;
  details: readonly IntegrationField[];
  /** Stored encrypted; never returned by the server. */
  credentials: readonly IntegrationField[];
  /** The kind of the parent registration, and the member with its id. */
  parent?: { kind: string; member: string; label: string; isRequired: boolean };
  /** Whether this server calls the platform, so that its connection can be tested. */
  isCalled: boolean;
  register(body: Record<string, unknown>): Promise<{ webhook?: WebhookAccess }>;
}
