const STARS = '****';
const SHOWN = 4;
/** Of something shorter four characters would be a good part. */
const LONG = 16;

/** `https://hooks.example.com/****aB3d`: enough to know it again, not enough to use it. */
export function maskedUrl(url: string): string {
  const { origin } = new URL(url);
  const secret = url.slice(origin.length + 1);
  return `${origin}/${STARS}${secret.length >= LONG ? secret.slice(-SHOWN) : ''}`;
}

/** `whsec_****aB3d`. */
export function maskedSecret(secret: string): string {
  return `whsec_${STARS}${secret.slice(-SHOWN)}`;
}

/** Whether a text is a mask rather than the thing itself. */
export function isMask(text: string): boolean {
  return text.includes(STARS);
}
