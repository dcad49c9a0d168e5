/** A line about the past may name removed things. */
export const PAST =
  /\b(?:previously|formerly|renamed|moved|removed|deleted|deprecated|no longer|used to|legacy|obsolete|was)\b/i;
