import { AppError } from '../core/app-error.ts';

/** The media type of a `Content-Type` in lower case, without parameters; `''` without the header. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || (mediaType.startsWith('application/') && mediaType.endsWith('+json'));
}

export function rejectMediaType(accepted: string): never {
  throw new AppError('unsupported_media_type', `The Content-Type must be ${accepted}.`);
}
