import { useMemo, useState } from 'preact/hooks';
import { count } from './amounts.ts';
import { containerText, entriesOf, initiallyOpen, isContainer, sizeOf } from './json-entries.ts';
import styles from './json-tree.module.css';
import { LongText } from './long-text.tsx';
import { visibleText } from './visible-text.ts';

interface JsonTreeProps {
  value: unknown;
  /** A passage to mark in texts. */
  quote?: string | null;
}

/** A JSON value as a collapsible tree. Only expanded parts are in the page. */
export function JsonTree({ value, quote = null }: JsonTreeProps) {
  const open = useMemo(() => initiallyOpen(value), [value]);
  if (!isContainer(value)) return <Scalar value={value} quote={quote} />;
  return <Members container={value} open={open} quote={quote} />;
}

interface MembersProps {
  container: object;
  /** Containers that are initially open. */
  open: ReadonlySet<object>;
  quote: string | null;
}

const PAGE_SIZE = 100;

function Members({ container, open, quote }: MembersProps) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const size = sizeOf(container);
  if (size === 0) return <span class={styles.empty}>{Array.isArray(container) ? '[]' : '{}'}</span>;
  return (
    <ul class={styles.members}>
      {entriesOf(container, limit).map(({ key, value }) => (
        <li key={key}>
          {isContainer(value) && sizeOf(value) > 0 ? (
            <Container name={key} container={value} open={open} quote={quote} />
          ) : (
            <div class={styles.member}>
              <Key name={key} />
              {isContainer(value) ? (
                <Members container={value} open={open} quote={quote} />
              ) : (
                <Scalar value={value} quote={quote} />
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

function Container({ name, container, open, quote }: MembersProps & { name: string }) {
  const [isOpen, setOpen] = useState(open.has(container));
  return (
    <>
      <button type="button" class={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Key name={name} />
        <span class={styles.size}>{containerText(container)}</span>
      </button>
      {isOpen && <Members container={container} open={open} quote={quote} />}
    </>
  );
}

const MAX_KEY_LENGTH = 200;

function Key({ name }: { name: string }) {
  const shown = name.length > MAX_KEY_LENGTH ? `${name.slice(0, MAX_KEY_LENGTH)}…` : name;
  return <bdi class={styles.key}>{visibleText(shown)}</bdi>;
}

function Scalar({ value, quote }: { value: unknown; quote: string | null }) {
  if (typeof value === 'string')
    return value === '' ? <span class={styles.empty}>""</span> : <LongText text={value} quote={quote} />;
  return <code class={styles.literal}>{String(value)}</code>;
}
