import { useSignal } from '@preact/signals';
import type { Message } from '../../../client/misstep-client.generated.ts';
import { count } from '../../parts/amounts.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { shortened } from '../../parts/shortened.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { answerLabel } from '../../trace-model/answer-label.ts';
import styles from './message-list.module.css';

interface MessageListProps {
  sent: readonly Message[];
  received: readonly Message[];
  quote: string | null;
}

const MAX_VISIBLE_MESSAGES = 8;
const MAX_LABEL_LENGTH = 200;

/** Input and output messages of a model call. Of a long history, only the end is shown initially. */
export function MessageList({ sent, received, quote }: MessageListProps) {
  const showsAll = useSignal(false);
  const hidden = showsAll.value ? 0 : Math.max(0, sent.length - MAX_VISIBLE_MESSAGES);
  return (
    <ol class={styles.messages}>
      {hidden > 0 && (
        <li>
          <button
            type="button"
            class={styles.more}
            onClick={() => {
              showsAll.value = true;
            }}
          >
            Show {count(hidden)} earlier messages
          </button>
        </li>
      )}
      {sent.slice(hidden).map((message, index) => (
        <MessageItem key={`sent ${hidden + index}`} message={message} quote={quote} isOutput={false} />
      ))}
      {received.map((message, index) => (
        <MessageItem key={`received ${index}`} message={message} quote={quote} isOutput />
      ))}
    </ol>
  );
}

interface MessageItemProps {
  message: Message;
  quote: string | null;
  isOutput: boolean;
}

/** System prompts are long and equal in every call, so they are folded unless they contain the quote. */
export function MessageItem({ message, quote, isOutput }: MessageItemProps) {
  const isFolded = message.role === 'system' && !(quote && message.content.includes(quote));
  const isNamedAbove = isOutput && message.content === '' && message.tool_calls.length === 1;
  const role = (
    <>
      <span class={styles.role}>{visibleText(message.role)}</span>
      {message.name !== null && <bdi> {visibleText(message.name)}</bdi>}
      {isOutput && (
        <bdi class={styles.answer}>{`· ${visibleText(shortened(answerLabel(message), MAX_LABEL_LENGTH))}`}</bdi>
      )}
    </>
  );
  const body = (
    <>
      {message.content !== '' && <LongText text={message.content} quote={quote} />}
      {message.tool_calls.map((call, index) => (
        <div key={index} class={styles.call}>
          {!isNamedAbove && <bdi class={styles.tool}>calls {visibleText(call.name)}</bdi>}
          <JsonTree value={call.arguments} quote={quote} />
        </div>
      ))}
    </>
  );
  return (
    <li class={isOutput ? styles.received : styles.sent}>
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
