import { useMemo, useState } from 'preact/hooks';
import { count } from './amounts.ts';
import { containerText, entriesOf, initiallyOpen, isContainer, sizeOf } from './json-entries.ts';
import styles from './json-tree.module.css';
import { LongText } from './long-text.tsx';
import { shortened } from './shortened.ts';
import { visibleText } from './visible-text.ts';

interface JsonTreeProps {
  value: unknown;
  /** A passage to mark in texts. */
  quote?: string | null;
  /** Texts keep their quotes, so that `"41"` differs from `41`. */
  hasQuotes?: boolean;
}

/** A JSON value as a collapsible tree. Only expanded parts are in the page. */
export function JsonTree({ value, quote = null, hasQuotes = false }: JsonTreeProps) {
  const open = useMemo(() => initiallyOpen(value), [value]);
  if (!isContainer(value)) return <Scalar value={value} quote={quote} hasQuotes={hasQuotes} />;
  return <Members container={value} open={open} quote={quote} hasQuotes={hasQuotes} />;
}

interface MembersProps {
  container: object;
  /** Containers that are initially open. */
  open: ReadonlySet<object>;
  quote: string | null;
  hasQuotes: boolean;
}

const PAGE_SIZE = 100;

function Members({ container, open, quote, hasQuotes }: MembersProps) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const size = sizeOf(container);
  if (size === 0)
    return Array.isArray(container) ? <Empty sign="[ ]" kind="empty list" /> : <Empty sign="{ }" kind="empty object" />;
  return (
    <ul class={styles.members}>
      {entriesOf(container, limit).map(({ key, value }) => (
        <li key={key}>
          {isContainer(value) && sizeOf(value) > 0 ? (
            <Container name={key} container={value} open={open} quote={quote} hasQuotes={hasQuotes} />
          ) : (
            <div class={styles.member}>
              <Key name={key} />
              {isContainer(value) ? (
                <Members container={value} open={open} quote={quote} hasQuotes={hasQuotes} />
              ) : (
                <Scalar value={value} quote={quote} hasQuotes={hasQuotes} />
              )}
            </div>
          )}
        </li>
      ))}
      {limit < size && (
        <li>
          <button type="button" class={styles.more} onClick={() => setLimit(limit + PAGE_SIZE)}>
            Show {Math.min(PAGE_SIZE, size - limit)} more of {count(size)}
          </button>
        </li>
      )}
    </ul>
  );
}

function Container({ name, container, open, quote, hasQuotes }: MembersProps & { name: string }) {
  const [isOpen, setOpen] = useState(open.has(container));
  return (
    <>
      <button type="button" class={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Key name={name} />
        <span class={styles.size}>{containerText(container)}</span>
      </button>
      {isOpen && <Members container={container} open={open} quote={quote} hasQuotes={hasQuotes} />}
    </>
  );
}

const MAX_KEY_LENGTH = 200;

function Key({ name }: { name: string }) {
  const shown = shortened(name, MAX_KEY_LENGTH);
  return <bdi class={styles.key}>{visibleText(shown)}</bdi>;
}

/** Longer texts have no quotes: no number or literal is as long. */
const MAX_QUOTED_LENGTH = 200;

function Scalar({ value, quote, hasQuotes }: { value: unknown; quote: string | null; hasQuotes: boolean }) {
  if (value === '') return <Empty sign={'""'} kind="empty text" />;
  if (typeof value === 'string' && hasQuotes && value.length <= MAX_QUOTED_LENGTH)
    return <code dir="auto">{visibleText(JSON.stringify(value))}</code>;
  if (typeof value === 'string') return <LongText text={value} quote={quote} />;
  return <code class={styles.literal}>{String(value)}</code>;
}

/** The sign alone could be taken for a missing character. */
function Empty({ sign, kind }: { sign: string; kind: string }) {
  return (
    <span class={styles.empty}>
      <code>{sign}</code> {kind}
    </span>
  );
}
