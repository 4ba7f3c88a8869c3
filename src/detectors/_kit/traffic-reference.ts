/** What a tenant's last runs of one framework look like, to rank a run among them. */
export interface TrafficReference {
  /** Runs it was taken from. */
  runs: number;
  /** Share of them that is to be told. */
  share: number;
  /** Rank from which a run is one of the riskiest, and from which that is a warning; null: never. */
  from: number;
  warningFrom: number | null;
  /** Columns of `riskColumns` of some of these runs. */
  reference: readonly (readonly number[])[];
}
