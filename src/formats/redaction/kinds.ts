/** Secrets are redacted by default: no one needs them to understand a run. */
export const SECRET_KINDS = [
  'private_key',
  'password',
  'secret',
  'cookie',
  'bearer',
  'jwt',
  'api_key',
  'connection_string',
  'url_credentials',
] as const;

/** Personal data is redacted only on request. */
export const PERSONAL_KINDS = ['email', 'card_number', 'iban', 'us_ssn', 'phone'] as const;

export type RedactionKind = (typeof SECRET_KINDS)[number] | (typeof PERSONAL_KINDS)[number];

export interface RedactionOptions {
  secrets: boolean;
  personalData: boolean;
  /** Switches for single kinds, which take precedence over their group. */
  kinds?: Partial<Record<RedactionKind, boolean>>;
  /** Key of the digest in markers: the same secret and salt give the same marker. */
  salt: string;
}

export function enabledKinds(options: RedactionOptions): Set<RedactionKind> {
  const groups: [readonly RedactionKind[], boolean][] = [
    [SECRET_KINDS, options.secrets],
    [PERSONAL_KINDS, options.personalData],
  ];
  return new Set(groups.flatMap(([kinds, isOn]) => kinds.filter((kind) => options.kinds?.[kind] ?? isOn)));
}
