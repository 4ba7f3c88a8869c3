import { type SecretName, secretOfKey } from './secret-names.ts';

/** Meaning of the key of an attribute or member. */
export interface KeyName {
  secret: SecretName | null;
  /** Whether its value is an id that other records also contain. */
  isId: boolean;
  /** Whether the name is too short and plain to contain a secret itself. */
  isHarmless: boolean;
}

const MAX_KNOWN = 20_000;

/** Cache of key meanings: the same few hundred keys occur in every span. */
export class KeyNames {
  private readonly known = new Map<string, KeyName>();

  of(key: string): KeyName {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    const isHarmless = /^[A-Za-z_.-]{0,80}$/.test(key) && !/[A-Za-z]{25}/.test(key);
    const name = { secret: secretOfKey(key), isId: isIdKey(key), isHarmless };
    // A key that may contain a secret is not cached.
    if (isHarmless) this.known.set(key, name);
    return name;
  }
}

/** `session.id`, `thread_id`, `runId`; not `aws_access_key_id`. */
function isIdKey(key: string): boolean {
  return /(?:^|[._-])(?:id|uuid)$|[a-z](?:Id|UUID)$/.test(key) && !/key_?id$/i.test(key);
}
