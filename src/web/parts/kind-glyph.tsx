import styles from './kind-glyph.module.css';

/** Groups of step kinds that share a colour; the shape distinguishes the kinds of a group. */
const KINDS: Readonly<Record<string, { group: string; shape: string; label: string }>> = {
  agent: { group: 'agent', shape: 'M6 .8 11.2 6 6 11.2.8 6z', label: 'agent' },
  chain: { group: 'agent', shape: 'M2 3.5h8M2 8.5h8', label: 'chain' },
  llm: { group: 'llm', shape: 'M6 1.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z', label: 'model call' },
  message: { group: 'llm', shape: 'M1.5 2.5h9v6h-5l-2.5 2v-2H1.5z', label: 'message' },
  tool: { group: 'tool', shape: 'M1.8 1.8h8.4v8.4H1.8z', label: 'tool call' },
  retrieval: {
    group: 'retrieval',
    shape: 'M5 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM7.7 7.7l3 3',
    label: 'retrieval',
  },
  embedding: { group: 'retrieval', shape: 'M1.5 6h9M6 1.5v9', label: 'embedding' },
  guardrail: {
    group: 'guardrail',
    shape: 'M6 .8 10.8 3v3.2c0 2.4-2 4.1-4.8 5-2.8-.9-4.8-2.6-4.8-5V3z',
    label: 'guardrail',
  },
};
const OTHER = { group: 'other', shape: 'M6 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z', label: 'step' };

/** The colour group of a kind: `agent`, `llm`, `tool`, `retrieval`, `guardrail` or `other`. */
export function kindGroup(kind: string): string {
  return (KINDS[kind] ?? OTHER).group;
}

export function kindLabel(kind: string): string {
  return (KINDS[kind] ?? OTHER).label;
}

/** The shape and colour of a step kind, with its name for screen readers. */
export function KindGlyph({ kind }: { kind: string }) {
  const { group, shape, label } = KINDS[kind] ?? OTHER;
  return (
    <svg
      class={`${styles.glyph} ${styles[group]}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      role="img"
      aria-label={label}
    >
      <path d={shape} />
    </svg>
  );
}
