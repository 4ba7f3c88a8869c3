import { createRedactor } from './redactor.ts';

/** For messages of errors and logs, which may quote what a sender wrote. They are not joined, so no salt is needed. */
export const { redactText: redactMessage } = createRedactor({ secrets: true, personalData: false, salt: '' });

/** A refusal or a field's error, whose pointer names keys of the body. */
export function redactFieldError<Error extends { pointer: string; message: string }>(error: Error): Error {
  const [pointer, message] = [redactMessage(error.pointer), redactMessage(error.message)];
  return pointer === error.pointer && message === error.message ? error : { ...error, pointer, message };
}
