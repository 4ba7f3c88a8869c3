import { useMemo, useState } from 'preact/hooks';
import { count } from './amounts.ts';
import { containerText, entriesOf, isContainer, openAtFirst, sizeOf } from './json-open.ts';
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
  const open = useMemo(() => openAtFirst(value), [value]);
  if (!isContainer(value)) return <Scalar value={value} quote={quote} />;
  return <Members container={value} open={open} quote={quote} />;
}

interface MembersProps {
  container: object;
  /** Containers that are open at first. */
  open: ReadonlySet<object>;
  quote: string | null;
}

const PAGE = 100;

function Members({ container, open, quote }: MembersProps) {
  const [most, setMost] = useState(PAGE);
  const size = sizeOf(container);
  if (size === 0) return <span class={styles.empty}>{Array.isArray(container) ? '[]' : '{}'}</span>;
  return (
    <ul class={styles.members}>
      {entriesOf(container, most).map(({ key, value }) => (
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
      {most < size && (
        <li>
          <button type="button" class={styles.more} onClick={() => setMost(most + PAGE)}>
            Show {Math.min(PAGE, size - most)} more of {count(size)}
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

const LONGEST_KEY = 200;

function Key({ name }: { name: string }) {
  const shown = name.length > LONGEST_KEY ? `${name.slice(0, LONGEST_KEY)}…` : name;
  return <bdi class={styles.key}>{visibleText(shown)}</bdi>;
}

function Scalar({ value, quote }: { value: unknown; quote: string | null }) {
  if (typeof value === 'string')
    return value === '' ? <span class={styles.empty}>""</span> : <LongText text={value} quote={quote} />;
  return <code class={styles.literal}>{String(value)}</code>;
}
