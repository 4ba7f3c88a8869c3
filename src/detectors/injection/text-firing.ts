/** Score from which a single text counts as an attack. One ordinary text in a hundred reaches it. */
export const TEXT_FIRING_SCORE = 0.5;
