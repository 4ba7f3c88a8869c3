/** Reference values of a tenant's last runs of one framework, for ranking a run among them. */
export interface TrafficReference {
  /** Number of runs in the reference. */
  runs: number;
  /** Share of runs to report. */
  share: number;
  /** Rank from which a run is among the riskiest, and rank from which that is a warning; null: never. */
  from: number;
  warningFrom: number | null;
  /** `riskColumns` of a sample of these runs. */
  reference: readonly (readonly number[])[];
}
