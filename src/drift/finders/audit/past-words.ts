/** A line that speaks of the past may name what is gone. */
export const PAST =
  /\b(?:previously|formerly|renamed|moved|removed|deleted|deprecated|no longer|used to|legacy|obsolete|was)\b/i;
