const MASK = '****';
const SHOWN = 4;
/** Four characters would reveal too much of a shorter secret. */
const MIN_SHOWN_LENGTH = 16;

/** `https://hooks.example.com/****aB3d`: enough to recognize it, not enough to use it. */
export function maskedUrl(url: string): string {
  const { origin } = new URL(url);
  const secret = url.slice(origin.length + 1);
  return `${origin}/${MASK}${secret.length >= MIN_SHOWN_LENGTH ? secret.slice(-SHOWN) : ''}`;
}

/** `whsec_****aB3d`. */
export function maskedSecret(secret: string): string {
  return `whsec_${MASK}${secret.slice(-SHOWN)}`;
}

/** Whether a text is a mask rather than the secret itself. */
export function isMask(text: string): boolean {
  return text.includes(MASK);
}
