import { useSignal } from '@preact/signals';
import type { Message } from '../../../client/misstep-client.generated.ts';
import { count } from '../../parts/amounts.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import styles from './message-list.module.css';

interface MessageListProps {
  sent: readonly Message[];
  received: readonly Message[];
  quote: string | null;
}

const LAST = 8;

/** Input and output messages of a model call. Of a long history the end is shown first. */
export function MessageList({ sent, received, quote }: MessageListProps) {
  const isWhole = useSignal(false);
  const hidden = isWhole.value ? 0 : Math.max(0, sent.length - LAST);
  return (
    <ol class={styles.messages}>
      {hidden > 0 && (
        <li>
          <button
            type="button"
            class={styles.more}
            onClick={() => {
              isWhole.value = true;
            }}
          >
            Show {count(hidden)} earlier messages
          </button>
        </li>
      )}
      {sent.slice(hidden).map((message, at) => (
        <MessageItem key={`sent ${hidden + at}`} message={message} quote={quote} isAnswer={false} />
      ))}
      {received.map((message, at) => (
        <MessageItem key={`received ${at}`} message={message} quote={quote} isAnswer />
      ))}
    </ol>
  );
}

interface MessageItemProps {
  message: Message;
  quote: string | null;
  isAnswer: boolean;
}

/** System prompts are long and the same in every call: they are folded unless they hold the quote. */
export function MessageItem({ message, quote, isAnswer }: MessageItemProps) {
  const isFolded = message.role === 'system' && !(quote && message.content.includes(quote));
  const role = (
    <>
      <span class={styles.role}>{visibleText(message.role)}</span>
      {message.name !== null && <bdi> {visibleText(message.name)}</bdi>}
      {isAnswer && <span class={styles.answer}>answer</span>}
    </>
  );
  const body = (
    <>
      {message.content !== '' && <LongText text={message.content} quote={quote} />}
      {message.tool_calls.map((call, at) => (
        <div key={at} class={styles.call}>
          <bdi class={styles.tool}>calls {visibleText(call.name)}</bdi>
          <JsonTree value={call.arguments} quote={quote} />
        </div>
      ))}
    </>
  );
  return (
    <li class={isAnswer ? styles.received : styles.sent}>
      {isFolded ? (
        <details>
          <summary>
            {role} <span class={styles.size}>{count(message.content.length)} characters</span>
          </summary>
          {body}
        </details>
      ) : (
        <>
          <div class={styles.head}>{role}</div>
          {body}
        </>
      )}
    </li>
  );
}
