/** One checked item. `problem`: the program cannot work as it should. `warning`: it works, but something needs attention. */
export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  detail: string;
  /** What to do; null if nothing is wrong. */
  remedy: string | null;
}

export const ok = (name: string, detail: string): DoctorCheck => ({ name, status: 'ok', detail, remedy: null });
export const warning = (name: string, detail: string, remedy: string): DoctorCheck => ({
  name,
  status: 'warning',
  detail,
  remedy,
});
export const problem = (name: string, detail: string, remedy: string): DoctorCheck => ({
  name,
  status: 'problem',
  detail,
  remedy,
});
