const STARS = '****';
const SHOWN = 4;

/** `https://hooks.example.com/****aB3d`: enough to know it again, not enough to use it. */
export function maskedUrl(url: string): string {
  return `${new URL(url).origin}/${STARS}${url.slice(-SHOWN)}`;
}

/** `whsec_****aB3d`. */
export function maskedSecret(secret: string): string {
  return `whsec_${STARS}${secret.slice(-SHOWN)}`;
}

/** Whether a text is a mask rather than the thing itself. */
export function isMask(text: string): boolean {
  return text.includes(STARS);
}
