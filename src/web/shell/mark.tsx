import style from './mark.module.css';

/** The logo: three steps, the last one missed. */
export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true" class={style.mark}>
      <path d="M1 11.5h4v-4h4v3h2.5L8 14.5H1z" />
      <circle cx="11.5" cy="4" r="2.5" />
    </svg>
  );
}
