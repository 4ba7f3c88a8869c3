import { createTransport } from 'nodemailer';
import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import { plainLine } from '../../core/plain-text.ts';
import { renderMail } from './render-mail.ts';

export interface SmtpConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** Address of the sender, or `Name <address>`. */
  from: string;
}

/** Never throws. */
export type SendMail = (message: { id: string; to: string; content: AlertContent }) => Promise<SendOutcome>;

const CONNECT_MS = 10_000;
const IDLE_MS = 15_000;
const MAX_MESSAGE_CHARACTERS = 160;

/** @throws TypeError for an invalid URL */
export function createSendMail({ url, from }: SmtpConfig): SendMail {
  const parsed = new URL(url);
  const transport = createTransport({
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? undefined : Number(parsed.port),
    secure: parsed.protocol === 'smtps:',
    requireTLS: parsed.searchParams.get('require_tls') === 'true',
    auth:
      parsed.username === ''
        ? undefined
        : { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return async ({ id, to, content }) => {
    const { subject, text, html } = renderMail(content);
    try {
      await transport.sendMail({
        from,
        // As an object, so that an address is never parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same for every attempt, so that mail programs can detect duplicates.
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
      return { kind: 'delivered' };
    } catch (error) {
      return outcomeOf(error);
    }
  };
}

/** RFC 5321: 5yz is final. The operator may still correct a wrong password or certificate. */
function outcomeOf(error: unknown): SendOutcome {
  const { responseCode, code, response, message } = error as {
    responseCode?: number;
    code?: string;
    response?: string;
    message?: string;
  };
  const serverMessage = [...plainLine(response ?? message ?? '')].slice(0, MAX_MESSAGE_CHARACTERS).join('');
  const reason = `The mail server rejected the message (${code ?? 'failed'}): ${serverMessage}`;
  const isFinal = (responseCode ?? 0) >= 500 && code !== 'EAUTH';
  return isFinal ? { kind: 'failed', reason } : { kind: 'retry', reason, afterMs: null, isPaced: false };
}
