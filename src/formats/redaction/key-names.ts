import { type SecretName, secretOfKey } from './secret-names.ts';

/** What the key of an attribute or member says. */
export interface KeyName {
  secret: SecretName | null;
  /** Its value names something that other records name too. */
  isId: boolean;
  /** Too short and plain to hold a secret itself. */
  isHarmless: boolean;
}

const MOST_KNOWN = 20_000;

/** What keys say, remembered: the same few hundred keys come with every span. */
export class KeyNames {
  private readonly known = new Map<string, KeyName>();

  of(key: string): KeyName {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    const isHarmless = /^[A-Za-z_.-]{0,80}$/.test(key) && !/[A-Za-z]{25}/.test(key);
    const name = { secret: secretOfKey(key), isId: isIdKey(key), isHarmless };
    // A key that may hold a secret is not kept.
    if (isHarmless) this.known.set(key, name);
    return name;
  }
}

/** `session.id`, `thread_id`, `runId`; not `aws_access_key_id`. */
function isIdKey(key: string): boolean {
  return /(?:^|[._-])(?:id|uuid)$|[a-z](?:Id|UUID)$/.test(key) && !/key_?id$/i.test(key);
}
