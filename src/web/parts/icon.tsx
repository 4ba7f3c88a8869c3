/** Outlines on a 16 × 16 grid. */
const PATHS = {
  issues: 'M8 2 14.5 13.5 1.5 13.5Z M8 6.5v3.5 M8 11.5v.5',
  traces: 'M2 3.5h8 M4 8h8 M6 12.5h8',
  start: 'M3 13V3l10 5Z',
  check: 'M8 1.5 13.5 3.5v4.5c0 3-2.3 5.3-5.5 6.5-3.2-1.2-5.5-3.5-5.5-6.5V3.5Z',
  healing: 'M3 8.5 6.5 12 13 4.5',
  detectors: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z M8 8v.1',
  agents: 'M8 2.5v2 M3.5 5h9v7.5h-9Z M6 8v1 M10 8v1',
  analytics: 'M2.5 13.5h11 M4 11V7 M8 11V3 M12 11V5.5',
  conversations: 'M2.5 3h11v7.5H7L4 13v-2.5H2.5Z',
  workflows: 'M2.5 2.5h4v4h-4Z M9.5 9.5h4v4h-4Z M6.5 4.5h5v5',
  alerts: 'M4 11.5V7a4 4 0 0 1 8 0v4.5Z M2.5 11.5h11 M7 13.5h2',
  imports: 'M8 2.5v7 M5 7l3 3 3-3 M2.5 10.5v3h11v-3',
  settings: 'M2 4.5h6 M11 4.5h3 M9.5 3v3 M2 11.5h3 M8 11.5h6 M6.5 10v3',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z M10.5 10.5 14 14',
  close: 'M4 4l8 8 M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8Z M3 10.5H2.5v-8h8V3',
  menu: 'M2 4h12 M2 8h12 M2 12h12',
  theme: 'M8 2a6 6 0 1 0 0 12Z M8 2a6 6 0 0 1 0 12',
  keys: 'M1.5 4h13v8h-13Z M4 7v.5 M7 7v.5 M10 7v.5 M5 10h6',
  signOut: 'M6.5 2.5h-4v11h4 M6 8h8 M11 5l3 3-3 3',
  back: 'M10 3 5 8l5 5',
  open: 'M6 3l5 5-5 5',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      aria-hidden="true"
    >
      <path d={PATHS[name]} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
