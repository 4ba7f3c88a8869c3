/** The URL under which clients reach the server, through a proxy or directly. */
export interface PublicUrl {
  /** `https://misstep.example.com`, without a path. */
  origin: string;
  /** `/misstep`, or an empty string. */
  basePath: string;
}

export function hostOfPublicUrl({ origin }: PublicUrl): string {
  return new URL(origin).hostname;
}
