/** Sizes in CSS pixels. */
export interface LayoutRequest {
  nodes: { id: string; width: number; height: number }[];
  edges: { from: string; to: string; label: { width: number; height: number } }[];
}
